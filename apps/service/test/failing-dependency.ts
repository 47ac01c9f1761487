/** A dependency whose calls fail after a given number of successful ones. */
export type FailingDependency<Dependency> = {
  dependency: Dependency
  failAfter(calls: number): void
  stopFailing(): void
}

/** Wraps a dependency so that its functions can be made to reject, or to throw if they do not return a promise. */
export function withFailures<Dependency extends object>(
  dependency: Dependency,
  message = 'injected failure',
): FailingDependency<Dependency> {
  let left = Number.POSITIVE_INFINITY
  const fail = () => new Error(message)

  function wrap<Wrapped extends object>(target: Wrapped): Wrapped {
    return new Proxy(target, {
      get(object, property, receiver) {
        const value: unknown = Reflect.get(object, property, receiver)
        if (property === Symbol.asyncDispose || property === 'close') return value
        if (typeof value === 'function') return call(value.bind(object))
        return typeof value === 'object' && value !== null && !(value instanceof AbortSignal)
          ? wrap(value)
          : value
      },
    })
  }

  function call(run: (...args: unknown[]) => unknown) {
    return (...args: unknown[]): unknown => {
      left -= 1
      if (left >= 0) return run(...args)
      const result = run(...args)
      if (!(result instanceof Promise)) throw fail()
      return result.then(
        () => Promise.reject(fail()),
        () => Promise.reject(fail()),
      )
    }
  }

  return {
    dependency: wrap(dependency),
    failAfter: (calls) => void (left = calls),
    stopFailing: () => void (left = Number.POSITIVE_INFINITY),
  }
}
