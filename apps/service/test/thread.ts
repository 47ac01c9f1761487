import { serveTasks } from '../src/platform/serve-tasks.ts'

/** A thread for the tests of threads: doubles, asks, hangs or throws. */
serveTasks<{ kind: 'double' | 'ask' | 'hang' | 'throw'; value: number }, number>(
  async ({ kind, value }, ask) => {
    switch (kind) {
      case 'double':
        return value * 2
      case 'ask':
        return Number(await ask(value))
      case 'hang':
        for (;;) value += 1
      case 'throw':
        throw new Error(`no ${value}`)
    }
  },
)
