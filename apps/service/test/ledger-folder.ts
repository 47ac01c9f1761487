import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A folder for an erasure ledger, which is removed after the test that asked for it. */
export function newLedgerFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'vidimus-ledger-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
