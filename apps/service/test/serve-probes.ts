import { once } from 'node:events'
import { readConfig } from '../src/engine/config/config.ts'
import { serve } from '../src/program/serve.ts'
import { probes } from './probes.ts'

/** `vidimus serve` with the probe routes added, for tests with several processes. */
const serving = await serve({ ...readConfig(), extra: probes })
process.stdout.write(`Vidimus is listening on ${serving.address}\n`)
await once(process, 'SIGTERM')
await serving.stop({ accept_ms: 2000, serve_ms: 10_000 })
