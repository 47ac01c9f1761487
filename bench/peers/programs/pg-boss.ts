import { PgBoss, type JobWithMetadata } from 'pg-boss'
import pg from 'pg'
import { openDeliveries } from './deliver.ts'
import { readSettings, reportReady } from './program.ts'

/** Deliveries with pg-boss: `node pg-boss.ts enqueue` queues every verification, `work` delivers until it is killed. */
const { command, database_url, poolSize, connectionsPerHost } = readSettings()
const queue = 'deliver'
const insertBatch = 5000

type Delivery = { verification_id: string }

const boss = new PgBoss({ connectionString: database_url, max: poolSize })
boss.on('error', (error) => console.error(error))
await boss.start()
if (command === 'enqueue') await enqueue()
else await work()

async function enqueue(): Promise<void> {
  await boss.createQueue(queue)
  const client = new pg.Client({ connectionString: database_url })
  await client.connect()
  const { rows } = await client.query<{ id: string }>('select id from sessions')
  await client.end()
  for (let from = 0; from < rows.length; from += insertBatch) {
    const batch = rows.slice(from, from + insertBatch)
    await boss.insert(
      queue,
      batch.map(({ id }) => ({ data: { verification_id: id } })),
    )
  }
  await boss.stop({ graceful: false })
}

/** Each of two workers claims a batch, delivers it and completes it together, and claims the next at once. */
async function work(): Promise<void> {
  const deliver = openDeliveries({ database_url, poolSize, connectionsPerHost })
  const options = {
    batchSize: connectionsPerHost * 16,
    localConcurrency: 2,
    pollingIntervalSeconds: 0.5,
    burstWhenBatchFull: true,
    includeMetadata: true as const,
    perJobResults: true as const,
  }
  await boss.work(queue, options, (jobs: JobWithMetadata<Delivery>[]) => Promise.all(jobs.map(attempt)))
  reportReady()

  async function attempt({ id, data, retryCount }: JobWithMetadata<Delivery>) {
    try {
      await deliver(data.verification_id, retryCount + 1)
      return { id, status: 'completed' as const }
    } catch (error) {
      return { id, status: 'failed' as const, output: { message: String(error) } }
    }
  }
}
