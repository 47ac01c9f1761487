import type { Fault, Refusal, Word } from '../../state/answer.ts'
import type { PairingLoss, PairingProblem, PinPurpose } from '../../state/till-state.ts'
import type { BuiltInTemplateName } from '@vidimus/contract'

/** The texts of the till. Maps are typed by their unions, so that a missing text does not compile. */
export type TillTexts = {
  language: string
  starting: string
  offline: string
  simulated: string
  test: string
  pair: {
    title: string
    steps: { open: string; register: string; scan: string }
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
  ready: {
    title: string
    tap: string
    compare: string
    settings: string
    offline: string
    withdrawn: string
    no_templates: string
  }
  /** `age`, `other`, `scan`, `agree`, `try_again` and `code_life` are for the customer, in a language of their choice. */
  asking: {
    preparing: string
    age: string
    other: string
    scan: string
    agree: string
    try_again: string
    scanned: string
    waiting: string
    code_again: string
    code_life: string
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
  /** Instead of `no.requirement_not_met`, for a template that asks for an age. */
  not_over_age: string
  not_checked: Record<Fault, string>
  not_checked_note: string
  /** Where trying again does not help. */
  not_checked_note_final: string
  answer: { again: string; done: string }
  compare: {
    title: string
    text: string
    same: string
    different: string
    photo: string
    hidden: string
    life: string
  }
  outcomes: {
    title: string
    empty: string
    note: string
    end_shift: string
    close: string
    late: string
  }
  settings: { keep_awake: string }
  pin: Record<PinPurpose, string> & {
    forgotten: string
    entered: string
    enter: string
    delete: string
    cancel: string
    wrong: string
    locked: string
    not_checked: string
  }
  update: { text: string; restart: string }
  templates: Record<BuiltInTemplateName, string>
}

export const en: TillTexts = {
  language: 'Language',
  starting: 'Starting…',
  offline: 'No connection to the service',
  simulated: 'Simulated till: test data only',
  test: 'Test. Only test documents work here.',
  pair: {
    title: 'Pair this till',
    steps: {
      open: 'Open the dashboard on another device, then Devices.',
      register: 'Register a device there.',
      scan: 'Scan its QR code with this device’s camera, or type the code here.',
    },
    code: 'Pairing code',
    submit: 'Pair',
    busy: 'Pairing…',
    problems: {
      wrong_code:
        'This code is not known or has expired. Check it, or register the device again to get a new one.',
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
    text: 'Only one tab can check at a time. Continue there, or use this one: the other one then stops.',
    use_this: 'Use this tab',
  },
  ready: {
    title: 'What do you want to check?',
    tap: 'Tap to show the code',
    compare: 'You compare the photo',
    settings: 'Settings',
    offline: 'No connection. Checks are possible again once it is back.',
    withdrawn: 'No longer allowed on this till',
    no_templates: 'No check is allowed on this till. Ask the person who manages it.',
  },
  asking: {
    preparing: 'Preparing the code…',
    age: 'Please show that you are {age} or older',
    other: 'Please show: {template}',
    scan: 'Scan the code with your digital identity wallet or camera',
    agree: 'Check what your wallet shows, and agree',
    try_again: 'That did not work. Please try again, or use another document.',
    scanned: 'Scanned',
    waiting: 'Waiting for the customer',
    code_again: 'Show the code again',
    code_life: 'New code every 20 seconds',
    nearby: 'Connect to a phone nearby',
    nearby_ended: 'No wallet responded. Try again, or scan the code.',
    qr_label: 'QR code for the wallet: {template}',
    time_left: '{time} left',
    offline: 'No connection. The answer appears once it is back.',
    brightness: 'If phones cannot read the code, turn up the brightness of this screen.',
    stop: 'Stop',
    sandbox: 'Respond with the sandbox wallet',
  },
  words: {
    yes: 'Yes',
    no: 'No',
    not_checked: 'Not checked',
  },
  no: {
    declined: 'Declined, or no suitable document in the wallet',
    forged: 'The document was altered or forged',
    untrusted_issuer: 'The issuer of the document is not trusted',
    not_the_holder: 'The document does not belong to this wallet',
    document_expired: 'The document has expired',
    document_revoked: 'The document was revoked',
    not_in_document: 'The document does not contain what is needed',
    requirement_not_met: 'The requirement is not met',
    not_this_person: 'Not this person',
  },
  not_over_age: 'Not {age} or over',
  not_checked: {
    wallet_fault: 'The wallet reported an error',
    wallet_data: 'The wallet sent unreadable data',
    status_unavailable: 'Whether the document is still valid could not be checked',
    time_out: 'No response in time',
    offline: 'No connection to the service',
    busy: 'The service is busy',
    quota_spent: 'Today’s checks are used up. You can check again from {time}.',
    suspended: 'Checks are switched off for this shop. Ask the manager.',
    template_withdrawn: 'This check is no longer allowed on this till',
    erased: 'The result was erased',
    stopped: 'Stopped',
    interrupted: 'The till was interrupted',
    not_compared: 'The photo was not compared',
    photo_unreadable: 'This device cannot show the photo',
    service_fault: 'The service reported a fault',
    unknown_failure: 'The service gave a reason that this till does not know',
  },
  not_checked_note: 'This says nothing about the person. Try again, or check another way.',
  not_checked_note_final: 'This says nothing about the person. Check another way.',
  answer: {
    again: 'Same check again',
    done: 'Done',
  },
  compare: {
    title: 'Is this the same person?',
    text: 'The document is genuine and confirms: {template}. Compare the photo before you answer.',
    same: 'Same person',
    different: 'Not this person',
    photo: 'Photo from the document',
    hidden: 'Tap here to show the photo',
    life: 'The photo is removed in {time}. It is not stored.',
  },
  outcomes: {
    title: 'Last checks',
    empty: 'None in this shift',
    note: 'Kept on this screen only. Nothing about people.',
    end_shift: 'End shift',
    close: 'Close',
    late: 'Answered, but too late',
  },
  settings: {
    keep_awake: 'Keep the screen on between customers',
  },
  pin: {
    end_shift: 'PIN to end the shift',
    settings: 'PIN for the settings',
    forgotten: 'Forgotten? An administrator sets a new one under Devices.',
    entered: 'Digits entered: {count}',
    enter: 'Enter',
    delete: 'Delete the last digit',
    cancel: 'Cancel',
    wrong: 'Wrong PIN. Tries left: {count}',
    locked: 'Too many wrong PINs. Try again in {time}.',
    not_checked: 'The PIN could not be checked. Try again when there is a connection.',
  },
  update: {
    text: 'A new version is ready.',
    restart: 'Restart',
  },
  templates: {
    address: 'Address',
    age_over_16: '16 or over',
    age_over_16_strict: '16 or over, stated by the issuer',
    age_over: '18 or over',
    age_over_18: '18 or over',
    age_over_18_photo: '18 or over, with photo',
    age_over_18_strict: '18 or over, stated by the issuer',
    age_over_21: '21 or over',
    age_over_21_strict: '21 or over, stated by the issuer',
    driving_licence: 'Driving licence',
    identity_basic: 'Name and date of birth',
    pid_full: 'Full identity data',
    'preview.ehic': 'European Health Insurance Card',
    'preview.iban': 'IBAN',
    'preview.learning_credential': 'Learning credential',
    'preview.residence': 'Certificate of residence',
    'preview.student': 'Student ID',
    'preview.us_mdl_age_21': '21 or over, United States',
    'preview.us_mdl_real_id': 'REAL ID, United States',
  },
}
