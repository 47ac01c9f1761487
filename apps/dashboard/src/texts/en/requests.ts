import { plural } from '../plural.ts'

export type RequestsTexts = typeof requests

/** The log of API requests. */
export const requests = {
  title: 'Requests',
  description:
    'API requests of your keys and devices in the last 7 days. Bodies and claims are never recorded.',
  caption: 'API requests, newest first',
  request: 'Request',
  status: 'Status',
  caller: 'Caller',
  duration: 'Duration',
  time: 'Time',
  filters: {
    status: 'Status',
    route: 'Route',
    route_example: 'POST /v1/verifications',
    error_code: 'Error code',
    error_code_example: 'unknown_template',
    caller: 'Key or device',
    from: 'From',
    to: 'To',
    request_id: 'Request ID',
    request_id_hint: 'From the X-Request-Id header of a response.',
    keys: 'API keys',
    devices: 'Devices',
  },
  classes: {
    '2xx': '2xx: succeeded',
    '3xx': '3xx: redirected',
    '4xx': '4xx: refused',
    '5xx': '5xx: failed',
  },
  idempotency: { new: 'New', replayed: 'Replayed', conflict: 'Conflict' },
  closed_by_caller: 'The caller disconnected',
  member: 'Dashboard',
  copy_id: 'Copy request ID',
  about_verification: 'Only requests about verification {verification}.',
  show_all: 'Show all requests',
  omitted: plural({
    one: '{count} request in this period was not recorded, because there were too many at once.',
    other: '{count} requests in this period were not recorded, because there were too many at once.',
  }),
  off: 'The request log is off. Owners and admins can switch it on in the {settings}.',
  settings: 'settings',
  unavailable: 'The operator of the service has switched the request log off.',
  empty_title: 'No requests yet',
  empty: 'Requests that your servers and devices send to the API appear here within a second or two.',
  no_match: 'No requests match.',
  load_older: 'Load older requests',
  setting: {
    title: 'Request log',
    description:
      'Keeps the API requests of the last 7 days: time, route, status, error code and duration. Never bodies, claims or metadata.',
    enabled: 'Record API requests',
    hint: 'If you switch it off, requests that are already recorded stay visible until their 7 days are over.',
    unavailable: 'The operator of the service has switched the request log off for everyone.',
    save: 'Save request log',
    saved: 'Request log saved.',
  },
}
