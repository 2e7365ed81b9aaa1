export { type HeldSeats, heldSeats } from './store.ts'
