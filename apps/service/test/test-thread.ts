import { serveTasks } from '../src/engine/threads/serve-tasks.ts'

export type TestTask = {
  kind: 'double' | 'lookup' | 'hang' | 'throw' | 'exhaust' | 'spend'
  value: number
}

/** The thread for tests of the thread pool: it doubles, requests a lookup, spends milliseconds, hangs, throws or exhausts its memory. */
serveTasks<TestTask, number>(async ({ kind, value }, lookupResults) => {
  switch (kind) {
    case 'double':
      return { result: value * 2 }
    case 'lookup':
      return lookupResults.length === 0 ? { lookup: value } : { result: Number(lookupResults[0]) }
    case 'spend':
      for (const end = performance.now() + value; performance.now() < end;);
      return { result: value }
    case 'hang':
      for (;;) value += 1
    case 'throw':
      throw new Error(`no ${value}`)
    case 'exhaust': {
      const hoard: number[][] = []
      for (;;) hoard.push(Array.from({ length: 1000 }, () => hoard.length))
    }
  }
})
