import type { CheckName } from './checks.ts'
import type { Finding } from './presentation.ts'

export function failure(check: CheckName, detail: string): Finding {
  return { check, status: 'fail', detail }
}

export function warning(check: CheckName, detail: string): Finding {
  return { check, status: 'warning', detail }
}

export function hasFailure(findings: readonly Finding[]): boolean {
  return findings.some(({ status }) => status === 'fail')
}
