import { workerData, type MessagePort } from 'node:worker_threads'
import type { Mutant } from './list-mutants.ts'
import { tryMutant } from './try-mutant.ts'

// Whoever starts the thread hands it the mutants and a port to answer on.
const { mutants, answers } = workerData as { mutants: Mutant[]; answers: MessagePort }
for (const mutant of mutants) answers.postMessage(await tryMutant(mutant), [])
answers.close()
