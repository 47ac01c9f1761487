/** The result of one check. `cure` says how to fix a problem. */
export type DoctorFinding = {
  check: string
  status: 'ok' | 'warning' | 'wrong'
  says: string
  cure?: string
}

export const ok = (check: string, says: string): DoctorFinding => ({ check, status: 'ok', says })

export const warning = (check: string, says: string, cure: string): DoctorFinding => ({
  check,
  status: 'warning',
  says,
  cure,
})

export const wrong = (check: string, says: string, cure: string): DoctorFinding => ({
  check,
  status: 'wrong',
  says,
  cure,
})
