import { annexCFaults } from './annex-c.ts'
import { certificateFaults } from './certificates.ts'
import { curveFaults } from './curves.ts'
import { deviceFaults } from './device.ts'
import { disclosureFaults } from './disclosures.ts'
import { elementFaults } from './elements.ts'
import { encodingFaults } from './encoding.ts'
import type { Fault } from './fault.ts'
import { identifierListFaults } from './identifier-lists.ts'
import { issuerSignatureFaults } from './issuer-signature.ts'
import { keyBindingFaults } from './key-binding.ts'
import { originFaults } from './origin.ts'
import { queryFaults } from './query.ts'
import { responseFaults } from './response.ts'
import { revokedSignerFaults } from './revoked-signers.ts'
import { typeFaults } from './types.ts'
import { validityFaults } from './validity.ts'
import { walletErrorFaults } from './wallet-errors.ts'

/** Every fault that the sandbox wallet can simulate. */
export const faults: readonly Fault[] = [
  ...keyBindingFaults,
  ...deviceFaults,
  ...issuerSignatureFaults,
  ...curveFaults,
  ...certificateFaults,
  ...revokedSignerFaults,
  ...validityFaults,
  ...identifierListFaults,
  ...disclosureFaults,
  ...elementFaults,
  ...queryFaults,
  ...typeFaults,
  ...encodingFaults,
  ...responseFaults,
  ...originFaults,
  ...annexCFaults,
  ...walletErrorFaults,
]

export function findFault(name: string): Fault | undefined {
  return faults.find((fault) => fault.name === name)
}
