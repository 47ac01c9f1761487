import { setPriority, constants } from 'node:os'
import { serveTasks } from '../../../engine/threads/index.ts'
import { readCopy, type ListCopy, type ReadCopy } from './read-copy.ts'

// On Linux a priority belongs to a thread. Elsewhere it would slow down the whole process.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW)

serveTasks<ListCopy, ReadCopy>(async (copy) => ({ result: await readCopy(copy) }))
