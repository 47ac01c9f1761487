import { describe, expect, test } from 'vitest'
import { expectMap } from '../cbor/expect.ts'
import { readCbor } from '../cbor/read.ts'
import { wrapInTag24, writeCbor } from '../cbor/write.ts'
import { readSign1 } from '../cose/sign1.ts'
import { isDeviceMac } from '../mdoc/verify-device-mac.ts'
import { readReaderSession, type ReaderSession } from './read-session.ts'

/** ISO/IEC 18013-5:2021 annex D: an NFC handover, the keys, and the MAC of the device. */
const engagement =
  'a20063312e30018201d818584ba4010220012158205a88d182bce5f42efa59943f33359d2e8a968ff289d93e5fa444b624343167fe225820b16e8cf858ddc7690407ba61d4c338237a8cfcf3de6aa672fc60a557aa32fc67'
const readerKey =
  'a40102200121582060e3392385041f51403051f2415531cb56dd3f999c71687013aac6768bc8187e225820e58deb8fdbe907f7dd5368245551a34796f7d2215c440c339bb0f7b67beccdfa'
const readerPrivateKey = 'de3b4b9e5f72dd9b58406ae3091434da48a6f9fd010d88fcb0958e2cebec947c'
const select = `91020f487315d10209616301013001046d646f631a200c016170706c69636174696f6e2f766e642e626c7565746f6f74682e6c652e6f6f6230081b28128b37282801021c015c1e580469736f2e6f72673a31383031333a646576696365656e676167656d656e746d646f63${engagement}`
const request =
  '91022548721591020263720102110204616301013000110206616301036e6663005102046163010157001a201e016170706c69636174696f6e2f766e642e626c7565746f6f74682e6c652e6f6f6230081b28078080bf2801021c021107c832fff6d26fa0beb34dfcd555d4823a1c11010369736f2e6f72673a31383031333a6e66636e6663015a172b016170706c69636174696f6e2f766e642e7766612e6e616e57030101032302001324fec9a70b97ac9684a4e326176ef5b981c5e8533e5f00298cfccbc35e700a6b020414'
const deviceKey =
  'a401022001215820' +
  '96313d6c63e24e3372742bfdb1a33ba2c897dcd68ab8c753e4fbd48dca6b7f9a' +
  '225820' +
  '1fb3269edd418857de1b39a4e4a44b92fa484caa722c228288f01d0c03a2c3d6'
const deviceMac = '8443a10105a0f65820e99521a85ad7891b806a07f8b5388a332d92c189a7bf293ee1f543405ae6824d'

const fromHex = (hex: string) => Buffer.from(hex, 'hex')
const encode = (hex: string) => fromHex(hex).toString('base64url')
const session: ReaderSession = {
  device_engagement: encode(engagement),
  reader_key: encode(readerKey),
  handover: { select: encode(select), request: encode(request) },
  reader_private_key: encode(readerPrivateKey),
}

function read(changed: Partial<ReaderSession> = {}) {
  const result = readReaderSession({ ...session, ...changed })
  if ('error' in result) throw new Error(result.error)
  return result.value
}

describe('the session of a reader', () => {
  test('its transcript is that of the standard', () => {
    expect(read().transcript.toString('hex')).toBe(
      `83d8185858${engagement}d818584b${readerKey}8258c3${select}58cd${request}`,
    )
    expect(read({ handover: undefined }).transcript.toString('hex')).toBe(
      `83d8185858${engagement}d818584b${readerKey}f6`,
    )
    expect(read({ handover: { select: 'AAE' } }).transcript.toString('hex')).toMatch(/82420001f6$/)
  })

  test.each<[string, Partial<ReaderSession>]>([
    ['device_engagement is not base64url', { device_engagement: `${session.device_engagement}=` }],
    ['device_engagement is not a map', { device_engagement: encode('8100') }],
    ['not a DeviceEngagement of version 1', { device_engagement: encode('a10063322e30') }],
    ['CBOR', { device_engagement: encode('a2') }],
    ['the type or curve of the key is not accepted', { reader_key: encode('a10101') }],
    ['not a point on its curve', { reader_key: encode(`${readerKey.slice(0, -2)}fb`) }],
    ['handover.select is not base64url', { handover: { select: '+' } }],
    ['does not belong to reader_key', { reader_private_key: encode(`${readerPrivateKey.slice(0, -2)}7d`) }],
    ['does not belong to reader_key', { reader_private_key: encode('00'.repeat(32)) }],
    ['does not belong to reader_key', { reader_private_key: encode('ff'.repeat(40)) }],
  ])('%s', (error, changed) => {
    expect(readReaderSession({ ...session, ...changed })).toEqual({ error: expect.stringContaining(error) })
  })

  test('a private key in place of the public one is refused', () => {
    const whole = encode(`a5${readerKey.slice(2)}235820${readerPrivateKey}`)
    expect(readReaderSession({ ...session, reader_key: whole })).toEqual({
      error: 'the key is a private key',
    })
  })
})

describe('[OID4VP-26] the MAC of a device', () => {
  const verify = ({
    mac = deviceMac,
    key = deviceKey,
    docType = 'org.iso.18013.5.1.mDL',
    by = read(),
  } = {}) => {
    const { transcript, reader_key } = by
    if (reader_key === undefined) throw new Error('the session has no private key')
    return isDeviceMac({
      mac: readSign1(readCbor(fromHex(mac)), 'deviceMac'),
      payload: wrapInTag24(
        writeCbor([
          'DeviceAuthentication',
          { encoded: transcript },
          docType,
          { encoded: fromHex('d81841a0') },
        ]),
      ),
      transcript,
      device_key: expectMap(readCbor(fromHex(key)), 'the device key'),
      curve: 'prime256v1',
      reader_key,
    })
  }

  test('is that of the standard', () => expect(verify()).toBe(true))

  test('with another tag, length, algorithm, document, session or device key is refused', () => {
    expect(verify({ mac: `${deviceMac.slice(0, -2)}4c` })).toBe(false)
    expect(verify({ mac: deviceMac.replace('5820e9', '581fe9').slice(0, -2) })).toBe(false)
    expect(verify({ mac: deviceMac.replace('a10105', 'a10104') })).toBe(false)
    expect(verify({ docType: 'org.iso.18013.5.1.other' })).toBe(false)
    expect(verify({ by: read({ handover: undefined }) })).toBe(false)
    expect(verify({ key: readerKey })).toBe(false)
    const { reader_key, ...rest } = read()
    const other = { curve: 'secp384r1', private_key: reader_key?.private_key ?? new Uint8Array() }
    expect(verify({ by: { ...rest, reader_key: other } })).toBe(false)
  })
})
