import { workerData, type MessagePort } from 'node:worker_threads'
import type { Mutant } from './list-mutants.ts'
import { tryMutant } from './try-mutant.ts'

// The parent thread passes the mutants and a port for the results.
const { mutants, answers } = workerData as { mutants: Mutant[]; answers: MessagePort }
for (const mutant of mutants) answers.postMessage(await tryMutant(mutant), [])
answers.close()
