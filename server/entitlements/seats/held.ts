export { type HeldSeats, hasHeldSeat, heldSeats, type SeatsOfChanged, seatsOfChanged } from './store.ts'
