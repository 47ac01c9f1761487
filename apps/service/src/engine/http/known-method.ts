const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'])

/** The method as it may appear in metrics, logs and traces: a caller can send any word. */
export function knownMethod(method: string): string {
  return methods.has(method) ? method : '_OTHER'
}
