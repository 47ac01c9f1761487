/** A file of this size is followed by a new one. */
export const maxFile_bytes = 8 * 1024 * 1024
/** How long entries are kept. A backup that is older must not be restored. */
export const retention_days = 400
/** How long notes are kept after the last one of their file. */
export const noteRetention_days = 7
/** How long an operation of the storage may take. */
export const storageTimeout_ms = 3000
/** The most lines in one write, and the most that wait for one. */
export const maxBatch = 1000
export const maxWaiting = 10_000
/** An entry without an outcome is in doubt after this time: no transaction takes as long. */
export const doubt_ms = 60_000
/** How many entries are read at a time. */
export const pendingBatch = 10_000
