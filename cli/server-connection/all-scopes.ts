/** Every scope there is; a server gives what the client is registered with. */
export const allScopes = ['admin.*:*', 'operational.*:*', 'webhooks.*:*'] as const
