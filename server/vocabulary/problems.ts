/** Every problem the service can answer with: stable code and code name, HTTP status, a short title and when it happens. */
export const problems = {
  'request.malformed': [1001, 400, 'Malformed request', 'The body is not JSON, not UTF-8, or nested deeper than 64.'],
  'request.unsupported_media_type': [1002, 415, 'Unsupported media type', 'The body is of another content type.'],
  'request.too_large': [
    1003,
    413,
    'Request too large',
    'The body is over the limit: 1 MiB; 64 MiB for catalog compare and import.',
  ],
  'request.route_not_found': [1004, 404, 'No such path', 'There is nothing at that path.'],
  'request.method_not_allowed': [
    1005,
    405,
    'Method not allowed',
    'The path exists, the method does not; Allow names those that do.',
  ],
  'request.idempotency_conflict': [
    1006,
    409,
    'Key already used',
    'The Idempotency-Key or idempotentKey was used with other parameters.',
  ],
  'request.precondition_failed': [1007, 412, 'Changed meanwhile', 'If-Match did not match the revision number.'],
  'request.rate_limited': [1008, 429, 'Too many requests', 'Try again after the seconds that Retry-After says.'],
  'request.uri_too_long': [1009, 414, 'URI too long', 'A segment of the path, or the whole URL, is too long.'],
  'request.headers_too_large': [1010, 431, 'Headers too large', 'The request headers are over the limit.'],
  'request.timeout': [1011, 408, 'Request timed out', 'The request did not arrive in time.'],
  'request.expectation_failed': [
    1012,
    417,
    'Expectation failed',
    'The Expect header asks for something other than 100-continue.',
  ],
  'auth.unauthenticated': [1101, 401, 'Not signed in', 'There is no token, or it is malformed, expired or foreign.'],
  'auth.insufficient_scope': [1103, 403, 'Scope missing', 'The token lacks the scope that the detail names.'],
  'license.validation_error': [
    2000,
    400,
    'Not acceptable',
    'A field, filter or sortOrder is not acceptable; errors says which.',
  ],
  'license.record_not_found': [2005, 404, 'No such record', 'There is no record with that id.'],
  'catalog.duplicate_key': [3001, 409, 'Key already taken', 'Another record has this natural key.'],
  'catalog.in_use': [
    3002,
    409,
    'In use',
    'It cannot be deleted or changed while others use it; the detail names them.',
  ],
  'catalog.invalid_transition': [3003, 409, 'Step not allowed', 'The lifecycle does not allow this step.'],
  'catalog.unresolved_reference': [
    3004,
    400,
    'Unresolved reference',
    'A snapshot names something that neither it nor the environment has.',
  ],
  'catalog.environment_changed': [3005, 409, 'Environment changed', 'The environment is no longer as expected.'],
  'catalog.format_version': [3006, 400, 'Unknown format version', 'This server does not read that formatVersion.'],
  'server.internal': [
    9000,
    500,
    'Internal error',
    'Something went wrong in the service; the correlation id finds it in the log.',
  ],
  'server.unavailable': [
    9003,
    503,
    'Unavailable',
    'The server is draining, or its database is away; try again after Retry-After.',
  ],
} as const satisfies Record<string, readonly [code: number, status: number, title: string, when: string]>

export type ProblemName = keyof typeof problems
