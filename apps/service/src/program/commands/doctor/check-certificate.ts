import { readFileSync } from 'node:fs'
import { X509Certificate } from 'node:crypto'
import type { Config } from '../../../engine/config/index.ts'
import { readChain, readIdentity } from '../../../trust/index.ts'
import { ok, warning, wrong, type DoctorFinding } from '../../../operations/index.ts'

const check = 'access certificate'
const day_ms = 86_400_000
const renewalPeriod_days = 30

/** The access certificate, by which wallets show the holder who requests the data. */
export function checkCertificate(config: Config, now: Date): DoctorFinding[] {
  const { SIGNING_CERT_FILE: certFile, SIGNING_KEY_FILE: keyFile, SIGNING_KEY_URI: uri, NODE_ENV } = config
  if (certFile !== undefined && uri !== undefined) return checkTokenCertificate(certFile, now)
  if (certFile === undefined || keyFile === undefined) {
    const cure = 'Get an access certificate, and set SIGNING_KEY_FILE and SIGNING_CERT_FILE.'
    return NODE_ENV === 'production'
      ? [wrong(check, 'It is missing, and production does not accept a self-signed one.', cure)]
      : [warning(check, 'It is self-signed: only the sandbox wallet accepts it, real wallets do not.', cure)]
  }
  const [cert, key] = [readIfPossible(certFile), readIfPossible(keyFile)]
  if (cert === undefined || key === undefined)
    return [
      wrong(
        check,
        `${cert === undefined ? `SIGNING_CERT_FILE ${certFile}` : `SIGNING_KEY_FILE ${keyFile}`} cannot be read.`,
        'Check that the file is there and readable for the user that runs the service.',
      ),
    ]
  try {
    readIdentity(cert, key)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return [
      wrong(
        check,
        `Certificate and key are not usable: ${reason}.`,
        'SIGNING_CERT_FILE must be the PEM chain, leaf first, and SIGNING_KEY_FILE the P-256 key of that leaf.',
      ),
    ]
  }
  return [checkDates(new X509Certificate(cert), now)]
}

/** Checks only the chain: `serve` opens the HSM when it starts, and each attempt with a wrong PIN counts. */
function checkTokenCertificate(certFile: string, now: Date): DoctorFinding[] {
  const cert = readIfPossible(certFile)
  if (cert === undefined)
    return [
      wrong(
        check,
        `SIGNING_CERT_FILE ${certFile} cannot be read.`,
        'Check that the file is there and readable for the user that runs the service.',
      ),
    ]
  try {
    readChain(cert)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return [
      wrong(check, `It is not usable: ${reason}.`, 'SIGNING_CERT_FILE must be the PEM chain, leaf first.'),
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
      "Check this machine's clock, or wait.",
    )
  if (left_days < 0)
    return wrong(
      check,
      `It expired on ${until}: wallets reject requests.`,
      'Renew it, replace the files and restart the service.',
    )
  if (left_days < renewalPeriod_days)
    return warning(
      check,
      `It expires on ${until}, in ${left_days} days.`,
      'Renew it now. Open verifications keep the old one.',
    )
  return ok(check, `${subject.replaceAll('\n', ', ')}, until ${until}`)
}

function readIfPossible(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // Missing, a folder, or not readable.
    return undefined
  }
}
