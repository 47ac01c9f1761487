import { expect, test } from 'vitest'
import { makeCertificate, trustCertificate } from '../../../test/network/certificate.ts'
import { startMailServer } from '../../../test/network/mail-server.ts'
import { neverRespond, startReceiver } from '../../../test/network/receiver.ts'
import { isMailAddress, readMailAddress, readSmtpUrl } from './address.ts'
import { openMailer, type OutgoingMail } from './open-mailer.ts'

const mail: OutgoingMail = {
  to: 'ada@example.com',
  subject: 'Grüße',
  text: 'Guten Tag',
  html: '<p>Guten Tag</p>',
  message_id: '<1@vidimus.example>',
}

function open(url: string, timeout_ms = 5000) {
  const server = readSmtpUrl(url)
  if ('problem' in server) throw new Error(server.problem)
  const from = { name: 'Vidimus', address: 'vidimus@vidimus.example' }
  return openMailer({ server, from, client_name: 'vidimus.example', timeout_ms })
}

test('a mail arrives with its sender, recipient, subject and both bodies', async () => {
  await using server = await startMailServer()
  expect(await open(server.url).send(mail)).toEqual({ outcome: 'sent' })
  expect(server.received).toMatchObject([
    {
      from: 'vidimus@vidimus.example',
      to: ['ada@example.com'],
      encrypted: false,
      headers: {
        subject: 'Grüße',
        from: 'Vidimus <vidimus@vidimus.example>',
        to: 'ada@example.com',
        'message-id': '<1@vidimus.example>',
        'auto-submitted': 'auto-generated',
      },
      text: expect.stringContaining('Guten Tag'),
      html: expect.stringContaining('<p>Guten Tag</p>'),
    },
  ])
})

test('STARTTLS with a valid certificate comes before password and mail', async () => {
  const tls = await makeCertificate('127.0.0.1')
  using stack = new DisposableStack()
  stack.use(trustCertificate(tls.cert))
  await using server = await startMailServer({ tls, user: { name: 'vidimus', password: 'p@ss/word' } })
  expect(await open(server.url).send(mail)).toEqual({ outcome: 'sent' })
  expect(server.received).toMatchObject([{ encrypted: true, user: 'vidimus' }])
})

test('implicit TLS works too', async () => {
  const tls = await makeCertificate('127.0.0.1')
  using stack = new DisposableStack()
  stack.use(trustCertificate(tls.cert))
  await using server = await startMailServer({ tls: { ...tls, implicit: true } })
  expect(await open(server.url).send(mail)).toEqual({ outcome: 'sent' })
  expect(server.received).toMatchObject([{ encrypted: true }])
})

test('nothing is sent to a server without STARTTLS, or with a certificate that is not valid for it', async () => {
  await using plain = await startMailServer()
  expect(await open(plain.url.replace('?tls=off', '')).send(mail)).toMatchObject({
    outcome: 'failed',
    reason: 'tls',
  })
  const other = await makeCertificate('mail.example.com')
  await using untrusted = await startMailServer({ tls: other, user: { name: 'vidimus', password: 'secret' } })
  expect(await open(untrusted.url).send(mail)).toMatchObject({ outcome: 'failed', reason: 'tls' })
  using stack = new DisposableStack()
  stack.use(trustCertificate(other.cert))
  expect(await open(untrusted.url).send(mail)).toMatchObject({ outcome: 'failed', reason: 'tls' })
  expect([plain.attempts, untrusted.attempts]).toEqual([[], []])
})

test('a wrong password, a refusal, a deferral and a silent server are told apart', async () => {
  await using signedIn = await startMailServer({ user: { name: 'vidimus', password: 'right' } })
  const wrong = signedIn.url.replace('right', 'wrong')
  expect(await open(wrong).send(mail)).toEqual({ outcome: 'failed', reason: 'sign_in', code: '535' })
  expect(await open(wrong).check()).toEqual({ outcome: 'failed', reason: 'sign_in', code: '535' })
  expect(await open(signedIn.url).check()).toEqual({ outcome: 'sent' })

  await using refusing = await startMailServer({ refuse: () => 550 })
  expect(await open(refusing.url).send(mail)).toEqual({ outcome: 'refused', code: '550' })
  await using deferring = await startMailServer({ refuse: () => 451 })
  expect(await open(deferring.url).send(mail)).toEqual({
    outcome: 'failed',
    reason: 'deferred',
    code: '451',
  })

  await using silent = await startReceiver(neverRespond)
  const silentUrl = `smtp://127.0.0.1:${silent.port}?tls=off`
  expect(await open(silentUrl, 300).send(mail)).toMatchObject({ outcome: 'failed', reason: 'timeout' })
  await using hanging = await startMailServer({ hangsAfterContent: true })
  expect(await open(hanging.url, 500).send(mail)).toMatchObject({ outcome: 'failed', reason: 'timeout' })
})

test('a server that is not there is a failure to try again', async () => {
  const server = await startMailServer()
  await server[Symbol.asyncDispose]()
  expect(await open(server.url).send(mail)).toMatchObject({ outcome: 'failed', reason: 'connection' })
})

test('no text becomes a header or a recipient', async () => {
  await using server = await startMailServer()
  const hostile = 'Quota\r\nBcc: mallory@example.com\r\n\r\nBody'
  await open(server.url).send({ ...mail, subject: hostile, text: hostile, html: hostile })
  const [received] = server.received
  expect(received?.to).toEqual(['ada@example.com'])
  expect(received?.headers).not.toHaveProperty('bcc')
  expect(received?.headers['subject']).toBe('Quota Bcc: mallory@example.com Body')
})

test.each([
  'a@b.example,mallory@example.com',
  'a,mallory@example.com',
  '<mallory@example.com>',
  'a@b.example\r\nBcc: mallory@example.com',
  'a@b.example>',
  '"a b"@c.example',
  'a@[127.0.0.1]',
  'a(comment)@b.example',
  'group:a@b.example;',
  'a@b@c',
  `${'a'.repeat(250)}@b.example`,
])('%j is no address that mail is sent to', (address) => {
  expect(isMailAddress(address)).toBe(false)
})

test('plain addresses are, in any script', () => {
  for (const address of [
    'ada@example.com',
    'ada+alerts@example.com',
    "o'brien@example.ie",
    'jörg@müller.example',
  ])
    expect([address, isMailAddress(address)]).toEqual([address, true])
  expect(readMailAddress('Vidimus <a@b.example>')).toEqual({ name: 'Vidimus', address: 'a@b.example' })
  expect(readMailAddress('a@b.example')).toEqual({ name: '', address: 'a@b.example' })
  for (const text of [
    'Vidimus',
    'a@b.example, c@d.example',
    'A <a@b.example> <c@d.example>',
    'A\n<a@b.example>',
  ])
    expect([text, readMailAddress(text)]).toEqual([text, undefined])
})

test('a mail server URL is read completely or refused without being repeated', () => {
  expect(readSmtpUrl('smtp://mail.example.com')).toEqual({
    host: 'mail.example.com',
    port: 587,
    tls: 'required',
  })
  expect(readSmtpUrl('smtps://u%40x:p%2F@mail.example.com:4650')).toEqual({
    host: 'mail.example.com',
    port: 4650,
    tls: 'implicit',
    user: 'u@x',
    password: 'p/',
  })
  expect(readSmtpUrl('smtp://[::1]:25?tls=off')).toEqual({ host: '::1', port: 25, tls: 'off' })
  const refused = [
    'https://mail.example.com',
    'mail.example.com:587',
    'smtp://',
    'smtp://u:hunter2@mail.example.com?tls=off',
    'smtps://mail.example.com?tls=off',
    'smtp://mail.example.com?tls.rejectUnauthorized=false',
    'smtp://mail.example.com/?tls=required&pool=true',
    'smtp://mail.example.com/path',
    'smtp://user@mail.example.com',
    'smtp://u:hunter2%@mail.example.com',
  ]
  for (const url of refused) {
    const read = readSmtpUrl(url)
    expect([url, read]).toEqual([url, { problem: expect.not.stringContaining('hunter2') }])
  }
})
