import { readFileSync } from 'node:fs'
import { X509Certificate } from 'node:crypto'
import type { Config } from '../../config.ts'
import { readIdentity } from '../../trust/identity/open-identity.ts'
import { ok, warning, wrong, type DoctorFinding } from './finding.ts'

const check = 'access certificate'
const day_ms = 86_400_000
const renewalPeriod_days = 30

/** The certificate that wallets show the holder as the one who asks. */
export function checkCertificate(config: Config, now: Date): DoctorFinding[] {
  const { SIGNING_CERT_FILE: certFile, SIGNING_KEY_FILE: keyFile, NODE_ENV } = config
  if (certFile === undefined || keyFile === undefined) {
    const cure = 'Get an access certificate, and set SIGNING_KEY_FILE and SIGNING_CERT_FILE.'
    return NODE_ENV === 'production'
      ? [wrong(check, 'There is none, and production takes no self-made one.', cure)]
      : [
          warning(
            check,
            'It is self-made: the sandbox wallet takes it, and no wallet in the field does.',
            cure,
          ),
        ]
  }
  const [cert, key] = [readIfPossible(certFile), readIfPossible(keyFile)]
  if (cert === undefined || key === undefined)
    return [
      wrong(
        check,
        `${cert === undefined ? `SIGNING_CERT_FILE ${certFile}` : `SIGNING_KEY_FILE ${keyFile}`} cannot be read.`,
        'See that the file is there and belongs to the user that runs the service.',
      ),
    ]
  try {
    readIdentity(cert, key)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return [
      wrong(
        check,
        `The pair cannot be used: ${reason}.`,
        'SIGNING_CERT_FILE is the chain as PEM, leaf first; SIGNING_KEY_FILE is the P-256 key of that leaf.',
      ),
    ]
  }
  return [checkDates(new X509Certificate(cert), now)]
}

function checkDates({ validFromDate, validToDate, subject }: X509Certificate, now: Date): DoctorFinding {
  const left_days = Math.floor((validToDate.getTime() - now.getTime()) / day_ms)
  const until = validToDate.toISOString().slice(0, 10)
  if (now < validFromDate)
    return wrong(
      check,
      `It is not valid before ${validFromDate.toISOString()}.`,
      'Check the clock of this machine, or wait.',
    )
  if (left_days < 0)
    return wrong(
      check,
      `It expired on ${until}: wallets refuse to answer.`,
      'Renew it, put the new files in place and start the service again.',
    )
  if (left_days < renewalPeriod_days)
    return warning(
      check,
      `It expires on ${until}, in ${left_days} days.`,
      'Renew it now; open sessions keep the one they were created with.',
    )
  return ok(check, `${subject.replaceAll('\n', ', ')}, until ${until}`)
}

function readIfPossible(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // Absent, a folder, or not ours to read.
    return undefined
  }
}
