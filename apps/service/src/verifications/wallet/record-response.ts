import { type Database, coalescePerTarget, failedBeforeCommit } from '../../engine/db/index.ts'
import { announceEvents } from '../../deliveries/index.ts'
import { recordResponses, type WalletResponseRecord } from './store.ts'

/**
 * Records a response with its result, its audit entry and its events, or none of them (WRES-8). Responses that arrive while
 * others are being recorded share one statement. False if the session was no longer open.
 */
export const recordResponse = coalescePerTarget<Database, WalletResponseRecord, boolean>({
  maxBatch: 64,
  maxWaiting: 2000,
  maxStatements: 2,
  keyOf: ({ id }) => id,
  wasRolledBack: failedBeforeCommit,
  async run(db, responses) {
    // Of two responses to one session, only the first can be recorded.
    const firsts = new Map(responses.toReversed().map((response) => [response.id, response]))
    const recorded = await recordResponses(db, [...firsts.values()])
    if (recorded.values().some(({ queued }) => queued)) announceEvents(db)
    return responses.map((response) => firsts.get(response.id) === response && recorded.has(response.id))
  },
})
