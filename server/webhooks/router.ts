/** The procedures of the room, by resource. */
export const webhookProcedures = {}
