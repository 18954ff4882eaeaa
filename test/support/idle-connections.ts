/**
 * Options of fake servers: the client closes idle connections, as with the platforms, which keep them for minutes. A server that
 * closes one while a request is written loses the request, which a busy machine would make likely.
 */
export const KEEP_IDLE_CONNECTIONS = { keepAliveTimeout: 0 } as const;
