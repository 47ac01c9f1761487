import type { Fault, Refusal, Word } from '../../state/answer.ts'
import type { PairingLoss, PairingProblem } from '../../state/till-state.ts'
import type { BuiltInTemplateName } from '@vidimus/contract'

/** The texts of the till. Maps are typed by their unions, so that a missing text does not compile. */
export type TillTexts = {
  language: string
  starting: string
  offline: string
  simulated: string
  pair: {
    title: string
    steps: string
    code: string
    submit: string
    busy: string
    problems: Record<PairingProblem, string>
  }
  pair_again: {
    title: string
    what_happened: Record<PairingLoss, string>
    what_to_do: string
    interrupted: string
  }
  replace_pairing: { title: string; text: string; replace: string; keep: string }
  other_tab: { title: string; text: string; use_this: string }
  ready: { title: string; offline: string; withdrawn: string; no_templates: string }
  asking: {
    preparing: string
    scan: string
    nearby: string
    nearby_ended: string
    qr_label: string
    time_left: string
    offline: string
    brightness: string
    stop: string
    sandbox: string
  }
  words: Record<Word, string>
  no: Record<Refusal, string>
  not_checked: Record<Fault, string>
  not_checked_note: string
  answer: { next: string; compare: string; photo: string; photo_gone: string; photo_unreadable: string }
  outcomes: { title: string; empty: string; note: string; end_shift: string }
  update: { text: string; restart: string }
  templates: Record<BuiltInTemplateName, string>
}

export const en: TillTexts = {
  language: 'Language',
  starting: 'Starting…',
  offline: 'No connection to the service',
  simulated: 'Simulated till: test data only',
  pair: {
    title: 'Pair this till',
    steps:
      'Register a device in the dashboard, under Devices. Then scan its QR code with the camera of this device, or type the code here.',
    code: 'Pairing code',
    submit: 'Pair',
    busy: 'Pairing…',
    problems: {
      wrong_code:
        'This code is wrong, has expired or was already used. Check it, or register the device again in the dashboard to get a new code.',
      too_many: 'Too many wrong codes. Wait a few minutes, then try again.',
      connection_lost:
        'The connection was lost while pairing. Try the code once more. If it is refused, register the device again to get a new code.',
      storage: 'This browser could not store the pairing. Leave private browsing, or free some space.',
      service: 'The service could not pair this till. Try again in a moment.',
    },
  },
  pair_again: {
    title: 'Pair this till again',
    what_happened: {
      revoked: 'The service no longer accepts this till. It was revoked, or not used for 30 days.',
      lost: 'This till was interrupted while renewing its access. For safety it cannot continue with the old one.',
    },
    what_to_do: 'Ask for a new pairing code: in the dashboard, under Devices, register this device again.',
    interrupted: 'The check in progress ended without an answer: not checked.',
  },
  replace_pairing: {
    title: 'Pair this till again?',
    text: 'This till is already paired as “{name}”. Continue only if you opened the pairing link yourself.',
    replace: 'Pair again',
    keep: 'Keep the current pairing',
  },
  other_tab: {
    title: 'The till is open in another tab',
    text: 'Only one tab can ask at a time. Continue in the other tab, or close it: this one then takes over.',
    use_this: 'Use this tab',
  },
  ready: {
    title: 'What do you want to check?',
    offline: 'No connection. Checks are possible again once it is back.',
    withdrawn: 'No longer allowed on this till',
    no_templates: 'No check is allowed on this till. Ask the person who manages it.',
  },
  asking: {
    preparing: 'Preparing the code…',
    scan: 'Scan with your wallet',
    nearby: 'Connect to a phone nearby',
    nearby_ended: 'No wallet responded. Try again, or scan the code.',
    qr_label: 'QR code for the wallet: {template}',
    time_left: 'Time left: {time}',
    offline: 'No connection. The answer appears once it is back.',
    brightness: 'If phones cannot read the code, turn up the brightness of this screen.',
    stop: 'Stop',
    sandbox: 'Respond with the sandbox wallet',
  },
  words: { yes: 'Yes', no: 'No', not_checked: 'Not checked' },
  no: {
    declined: 'Declined, or no suitable document in the wallet',
    forged: 'The document was altered or forged',
    untrusted_issuer: 'The issuer of the document is not trusted',
    not_the_holder: 'The document does not belong to this wallet',
    document_expired: 'The document has expired',
    document_revoked: 'The document was revoked',
    not_in_document: 'The document does not contain what is needed',
    requirement_not_met: 'The requirement is not met',
  },
  not_checked: {
    wallet_fault: 'The wallet reported an error',
    wallet_data: 'The wallet sent unreadable data',
    status_unavailable: 'The issuer could not be asked whether the document is still valid',
    time_out: 'No response in time',
    offline: 'No connection to the service',
    busy: 'The service is busy',
    quota_spent: 'The checks for today are used up',
    template_withdrawn: 'This check is no longer allowed on this till',
    erased: 'The result was erased',
    stopped: 'Stopped',
    service_fault: 'The service reported a fault',
    unknown_failure: 'The service gave a reason that this till does not know',
  },
  not_checked_note: 'This says nothing about the person. Try again, or check another way.',
  answer: {
    next: 'Next',
    compare: 'Compare the photo with the person',
    photo: 'Photo from the document',
    photo_gone: 'Photo removed',
    photo_unreadable: 'This device cannot show the photo',
  },
  outcomes: {
    title: 'Last checks',
    empty: 'None in this shift',
    note: 'Kept on this screen only. Nothing about people.',
    end_shift: 'End shift',
  },
  update: { text: 'A new version is ready.', restart: 'Restart' },
  templates: {
    address: 'Address',
    age_over_16: '16 or over',
    age_over_16_strict: '16 or over, stated by the issuer',
    age_over_18: '18 or over',
    age_over_18_photo: '18 or over with photo',
    age_over_18_strict: '18 or over, stated by the issuer',
    age_over_21: '21 or over',
    age_over_21_strict: '21 or over, stated by the issuer',
    driving_licence: 'Driving licence',
    identity_basic: 'Name and birth date',
    pid_full: 'Full identity data',
    'preview.ehic': 'European Health Insurance Card',
    'preview.iban': 'IBAN',
    'preview.learning_credential': 'Learning credential',
    'preview.residence': 'Certificate of residence',
    'preview.student': 'Student',
    'preview.us_mdl_age_21': '21 or over, United States',
    'preview.us_mdl_real_id': 'REAL ID, United States',
  },
}
