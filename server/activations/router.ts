/** What activations add to the router: to the runtime, below `admin` and below `operational`. */
export const activationProcedures = { activations: {}, admin: {}, operational: {} }
