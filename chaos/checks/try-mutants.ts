import { MessageChannel, Worker } from 'node:worker_threads'
import type { Mutant } from './list-mutants.ts'
import type { Effects } from './try-mutant.ts'

export type Tried = { mutant: Mutant; effects: Effects }

/** A thread keeps every copy of the verifier that it has loaded: it is replaced after so many. */
const mutantsToAThread = 40
/** A mutant may loop for ever. */
const longestTrialMs = 120_000

/** Tries each mutant on every fault, in threads. */
export async function tryMutants(mutants: readonly Mutant[], threads: number): Promise<Tried[]> {
  const waiting = Array.from({ length: Math.ceil(mutants.length / mutantsToAThread) }, (_, batch) =>
    mutants.slice(batch * mutantsToAThread, (batch + 1) * mutantsToAThread),
  )
  const tried: Tried[] = []
  const work = async () => {
    for (let batch = waiting.shift(); batch !== undefined; batch = waiting.shift()) {
      tried.push(...(await tryBatch(batch)))
    }
  }
  await Promise.all(Array.from({ length: threads }, work))
  return tried
}

/** Starts again behind a mutant that does not come back. */
async function tryBatch(batch: readonly Mutant[]): Promise<Tried[]> {
  const tried: Tried[] = []
  while (tried.length < batch.length) {
    const rest = batch.slice(tried.length)
    for (const [index, effects] of (await runThread(rest)).entries()) {
      const mutant = rest[index]
      if (mutant !== undefined) tried.push({ mutant, effects })
    }
  }
  return tried
}

function runThread(mutants: readonly Mutant[]): Promise<Effects[]> {
  return new Promise((resolve, reject) => {
    const effects: Effects[] = []
    const { port1: incoming, port2: answers } = new MessageChannel()
    const thread = new Worker(new URL('./thread.ts', import.meta.url), {
      workerData: { mutants, answers },
      transferList: [answers],
    })
    const giveUp = () => {
      effects.push({ accepted: [], thrown: ['never came back'], refused_otherwise: [] })
      void thread.terminate()
    }
    let patience = setTimeout(giveUp, longestTrialMs)
    incoming.on('message', (message: Effects) => {
      clearTimeout(patience)
      patience = setTimeout(giveUp, longestTrialMs)
      effects.push(message)
    })
    incoming.on('close', () => {
      clearTimeout(patience)
      resolve(effects)
    })
    thread.on('error', reject)
  })
}
