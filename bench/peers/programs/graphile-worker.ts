import { makeWorkerUtils, run } from 'graphile-worker'
import pg from 'pg'
import { openDeliveries } from './deliver.ts'
import { readSettings, reportReady } from './program.ts'

/** Deliveries with graphile-worker: `node graphile-worker.ts enqueue` queues every verification, `work` delivers until it is killed. */
const { command, database_url, poolSize, connectionsPerHost } = readSettings()
const concurrentJobs = connectionsPerHost * 4

if (command === 'enqueue') await enqueue()
else await work()

async function enqueue(): Promise<void> {
  const utils = await makeWorkerUtils({ connectionString: database_url })
  await utils.migrate()
  await utils.release()
  const client = new pg.Client({ connectionString: database_url })
  await client.connect()
  await client.query(`
    select count(*) from graphile_worker.add_jobs(array(
      select row('deliver', json_build_object('verification_id', id), null, null, null, null, null, null)::graphile_worker.job_spec from sessions))`)
  await client.end()
}

async function work(): Promise<void> {
  const deliver = openDeliveries({ database_url, poolSize, connectionsPerHost })
  await run({
    preset: {
      worker: {
        connectionString: database_url,
        maxPoolSize: poolSize,
        concurrentJobs,
        pollInterval: 500,
        // Claims many jobs at once and completes those together that end within a few milliseconds.
        localQueue: { size: concurrentJobs * 4 },
        completeJobBatchDelay: 3,
        failJobBatchDelay: 3,
      },
    },
    noHandleSignals: true,
    taskList: {
      deliver: async (payload, { job }) =>
        deliver((payload as { verification_id: string }).verification_id, job.attempts),
    },
  })
  reportReady()
}
