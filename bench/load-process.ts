import { readFileSync } from 'node:fs'
import { sendLoad } from './load.ts'

/** Runs the load given as JSON on standard input, in a process of its own so that it does not use the bench's event loop. */
process.stdout.write(JSON.stringify(await sendLoad(JSON.parse(readFileSync(0, 'utf8')))))
