import { readdirSync, readFileSync } from 'node:fs'
import { childProcesses } from '../../apps/service/test/processes/postgres-server.ts'

/** The parts of the system whose CPU time is told apart. */
type Part = 'main' | 'threads' | 'runtime' | 'postgres' | 'redis'

type ObservedProcesses = {
  /** A Node process. */
  node?: number | undefined
  /** A PostgreSQL server, of which every process counts, except the backends with these ids. */
  postgres?: number
  except?: number[]
  redis?: number
}

const sampling_ms = 100

/**
 * Reads the CPU time of processes, in microseconds, as often as asked. A process or thread that ended in the meantime keeps its last reading, at
 * most a tenth of a second old, so that the sums never go down.
 */
export function observeCpu({ node, postgres, except = [], redis }: ObservedProcesses) {
  const readings = new Map<string, { part: Part; us: number }>()
  const sample = () => {
    if (node !== undefined) sampleProcess(node, (thread, isMain) => (isMain ? 'main' : partOfThread(thread)))
    if (postgres !== undefined) {
      for (const pid of [postgres, ...childProcesses(postgres)])
        if (!except.includes(pid)) sampleProcess(pid, () => 'postgres')
    }
    if (redis !== undefined) sampleProcess(redis, () => 'redis')
  }
  const sampleProcess = (pid: number, partOf: (thread: string, isMain: boolean) => Part) => {
    for (const { tid, name, us } of readThreads(pid))
      readings.set(`${pid}/${tid}`, { part: partOf(name, tid === pid), us })
  }
  const timer = setInterval(sample, sampling_ms)
  return {
    read(): Record<Part, number> {
      sample()
      const total: Record<Part, number> = { main: 0, threads: 0, runtime: 0, postgres: 0, redis: 0 }
      for (const { part, us } of readings.values()) total[part] += us
      return total
    },
    [Symbol.dispose]: () => clearInterval(timer),
  }
}

function partOfThread(name: string): Part {
  return name === 'WorkerThread' ? 'threads' : 'runtime'
}

/** The threads of a process with the time that each spent on a CPU, without the time that the hypervisor gave to others. */
export function readThreads(pid: number): { tid: number; name: string; us: number }[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map((tid) => ({
      tid: Number(tid),
      name: readFileSync(`/proc/${pid}/task/${tid}/comm`, 'utf8').trim(),
      us: Number(readFileSync(`/proc/${pid}/task/${tid}/schedstat`, 'utf8').split(' ')[0]) / 1000,
    }))
  } catch {
    // The process or one of its threads ended meanwhile.
    return []
  }
}
