import { MessageChannel, Worker } from 'node:worker_threads'
import type { Mutant } from './list-mutants.ts'
import type { Effects } from './try-mutant.ts'

export type MutantTrial = { mutant: Mutant; effects: Effects }

/** A thread never unloads a copy of the verifier, so it is replaced after this many. */
const maxMutantsPerThread = 40
/** A mutant may loop forever. */
const maxTrial_ms = 120_000

/** Runs each mutant on every fault, in threads. */
export async function tryMutants(mutants: readonly Mutant[], threads: number): Promise<MutantTrial[]> {
  const waiting = Array.from({ length: Math.ceil(mutants.length / maxMutantsPerThread) }, (_, batch) =>
    mutants.slice(batch * maxMutantsPerThread, (batch + 1) * maxMutantsPerThread),
  )
  const trials: MutantTrial[] = []
  const work = async () => {
    for (let batch = waiting.shift(); batch !== undefined; batch = waiting.shift()) {
      trials.push(...(await tryBatch(batch)))
    }
  }
  await Promise.all(Array.from({ length: threads }, work))
  return trials
}

/** Continues after a mutant that timed out. */
async function tryBatch(batch: readonly Mutant[]): Promise<MutantTrial[]> {
  const trials: MutantTrial[] = []
  while (trials.length < batch.length) {
    const rest = batch.slice(trials.length)
    for (const [index, effects] of (await runThread(rest)).entries()) {
      const mutant = rest[index]
      if (mutant !== undefined) trials.push({ mutant, effects })
    }
  }
  return trials
}

function runThread(mutants: readonly Mutant[]): Promise<Effects[]> {
  return new Promise((resolve, reject) => {
    const effects: Effects[] = []
    const { port1: incoming, port2: outgoing } = new MessageChannel()
    const thread = new Worker(new URL('./mutant-thread.ts', import.meta.url), {
      workerData: { mutants, outgoing },
      transferList: [outgoing],
    })
    const giveUp = () => {
      effects.push({ accepted: [], thrown: ['timed out'], refused_otherwise: [] })
      void thread.terminate()
    }
    let timeout = setTimeout(giveUp, maxTrial_ms)
    incoming.on('message', (message: Effects) => {
      clearTimeout(timeout)
      timeout = setTimeout(giveUp, maxTrial_ms)
      effects.push(message)
    })
    incoming.on('close', () => {
      clearTimeout(timeout)
      resolve(effects)
    })
    thread.on('error', reject)
  })
}
