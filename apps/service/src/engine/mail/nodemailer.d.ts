/** The part of nodemailer that is used. Settings that are not named here, such as those that switch off checks, do not compile. */
declare module 'nodemailer' {
  type TransportOptions = {
    host: string
    port: number
    secure: boolean
    requireTLS: boolean
    ignoreTLS: boolean
    tls: { minVersion: string }
    name: string
    auth?: { user: string; pass: string }
    connectionTimeout: number
    greetingTimeout: number
    socketTimeout: number
    dnsTimeout: number
    disableFileAccess: boolean
    disableUrlAccess: boolean
  }
  type Address = { name: string; address: string }
  type Message = {
    from: Address
    to: Address
    envelope: { from: string; to: string[] }
    subject: string
    text: string
    html: string
    messageId: string
    headers: Record<string, string>
  }
  type Transport = { sendMail(message: Message): Promise<unknown>; verify(): Promise<unknown> }
  export function createTransport(options: TransportOptions): Transport
}
