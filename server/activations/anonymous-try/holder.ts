/** Within what a device is known that tries an offer. */
export const holderOfTries = (offerId: string) => `try:${offerId}`
