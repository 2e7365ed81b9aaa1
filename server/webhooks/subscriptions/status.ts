/** Where a subscription stands: only an Active one is sent anything but its challenge. */
export const subscriptionStatuses = ['PendingVerification', 'Active', 'Disabled', 'Suspended'] as const
export type SubscriptionStatus = (typeof subscriptionStatuses)[number]

/** Who subscribed: the vendor, or an integrator, whose endpoint need not sign its answer to the challenge. */
export const subscriptionOrigins = ['Admin', 'Integrator'] as const
export type SubscriptionOrigin = (typeof subscriptionOrigins)[number]
