/**
 * Why an attempt to deliver failed, as the log records it. The dashboard has a text for each in every language. This file imports
 * nothing, so that pages can use it without loading the schemas.
 */
export const deliveryErrors = {
  not_http: 'the URL is not http or https',
  port: 'the port is that of another protocol',
  not_public: 'the host is not a public address',
  name: 'the host could not be resolved',
  connection: 'the connection failed',
  tls: 'the TLS handshake failed',
  http: 'the response was not HTTP',
  timed_out: 'no response within 10 seconds',
  disabled: 'the endpoint is disabled',
  restored: 'may have been delivered before a restore of the database; not sent again',
} as const

export type DeliveryError = keyof typeof deliveryErrors
