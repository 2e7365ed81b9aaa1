export { type HeldSeats, hasHeldSeat, heldSeats } from './store.ts'
