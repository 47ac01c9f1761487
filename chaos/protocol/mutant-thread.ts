import { workerData, type MessagePort } from 'node:worker_threads'
import type { Mutant } from './list-mutants.ts'
import { tryMutant } from './try-mutant.ts'

// The parent thread passes the mutants and a port for the results.
const { mutants, outgoing } = workerData as { mutants: Mutant[]; outgoing: MessagePort }
for (const mutant of mutants) outgoing.postMessage(await tryMutant(mutant), [])
outgoing.close()
