/** Where a delivery stands: waiting for its next attempt, taken by the endpoint, or given up. */
export const deliveryStatuses = ['Pending', 'Delivered', 'DeadLettered'] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]
