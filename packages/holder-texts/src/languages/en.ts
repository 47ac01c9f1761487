import type { PluralForms } from '../plural-forms.ts'

/** The web component. Exported alone too, so that the component's file contains only these texts. */
export const component = {
  loading: 'One moment…',
  continue_with_wallet: 'Continue with your wallet',
  find_wallet: 'Let the browser find your wallet',
  open_wallet: 'Open your wallet',
  open_age_app: 'Open your age verification app',
  wallet_here: 'Wallet on this computer? Open it here',
  you_decide: 'Your wallet shows what will be shared. Nothing is sent until you agree.',
  other_device: 'Use a wallet on another device',
  scan_title: 'Scan with your phone',
  scan: 'Point your wallet or the camera of your phone at the code.',
  scan_warning: 'Only scan this code if you started this yourself at {merchant}.',
  age_app_code: 'Show the code for the age verification app',
  wallet_code: 'Show the code for wallets',
  qr_label: 'QR code for {merchant}: {purpose}',
  qr_label_without_purpose: 'QR code for {merchant}',
  copy_link: 'Copy link',
  copied: 'Link copied',
  copy_failed: 'The link could not be copied. Select it and copy it yourself:',
  nothing_title: 'Did your wallet not open?',
  nothing_happened:
    'There may be no wallet on this device yet. Install one and try again, or use another way.',
  browser_title: 'Open this page in your browser',
  open_in_browser:
    'Another app is showing this page and may stop your wallet from opening. Copy the link and open it in your browser.',
  opened_title: 'Continue in your wallet',
  opened: 'This page moves on by itself when you are done.',
  show_code_again: 'Show the code again',
  open_wallet_again: 'Open your wallet again',
  checking: 'Checking…',
  completed_title: 'Done',
  completed: '{merchant} has what it asked for.',
  continue: 'Continue to {merchant}',
  declined_title: 'Nothing was shared',
  declined: 'You declined in your wallet. {merchant} received nothing.',
  try_again_title: 'That did not work',
  try_again: 'Something went wrong with the answer of your wallet. You can start again at {merchant}.',
  not_accepted_title: 'This was not accepted',
  not_accepted:
    'Your wallet answered, but not with what {merchant} needs. {merchant} can tell you what else you can do.',
  expired_title: 'The time is up',
  expired: 'Nothing was shared. You can start again at {merchant}.',
  back: 'Back to {merchant}',
  cancelled: 'No wallet answered. Try again, or use another way.',
  wallet_error: 'Your wallet could not answer. Try again, or use another way.',
  send_failed: 'The answer could not be sent. Please try again.',
  offline: 'You are offline. This continues as soon as the connection is back.',
  reconnecting: 'The connection was lost. Trying again…',
  time_left: 'Time left: {time}',
  one_minute_left: 'One minute left. If the time runs out, you can start again at {merchant}.',
  not_loaded: 'This could not be loaded.',
  retry: 'Try again',
  unavailable: 'This request is no longer available.',
  test: 'Test: only test wallets work here.',
}

const page = {
  title: 'Request from {merchant}',
  heading: '{merchant} requests information from your wallet',
  purpose: 'Why',
  requested: 'What is requested',
  optional: 'Optional',
  from_document: 'From this document',
  from_one_of: 'From one of these documents',
  or: 'or',
  retention: 'How long it is kept',
  legal_name: 'Name in your wallet',
  through: 'Through {intermediary}',
  privacy: 'Privacy notice of {merchant}',
  language: 'Language',
  change_language: 'Change language',
  test: 'Test. Only test documents work here; do not use your real ones.',
  neutral_title: 'This page is not available',
  neutral_text:
    'The link is incomplete, or the request no longer exists. Go back to where you came from and start again.',
  other_tab_title: 'Continue in the other tab',
  other_tab_text: 'Your wallet opened a new tab, and you continue there. You can close this one.',
  continue: 'Continue',
  without_script: 'This page refreshes every few seconds until your wallet has answered.',
  footer: 'This page never shows the information from your documents.',
}

/** Texts around the claims of a request and its retention. */
const request = {
  document_only: 'Proof that you have this document',
  depends_on_document: '{claim} (depending on the document)',
  derives_age: '{claim}, only to calculate your age; it is not stored',
  derives_age_if_needed:
    '{claim}, only if the document does not state your age; it is used to calculate your age and is not stored',
  /** A name from the request that has no label here, in the language's quotation marks. */
  unknown: '“{name}”',
  more: 'and {count} more',
  kept_for: '{duration}. After that it is deleted.',
  kept_until_received: 'Until {merchant} has received it. Then it is deleted.',
}

const days: PluralForms = { one: '{days} day', other: '{days} days' }

/** Labels of claims, by the name that `nameClaim` gives to a path. */
const claims = {
  age_over: 'Proof that you are {years} or older',
  age_thresholds: 'Which ages you have reached',
  age_in_years: 'Age in years',
  birth_year: 'Year of birth',
  birth_date: 'Date of birth',
  birth_place: 'Place of birth',
  birth_family_name: 'Family name at birth',
  birth_given_name: 'Given name at birth',
  family_name: 'Family name',
  given_name: 'Given name',
  nationality: 'Nationality',
  sex: 'Sex',
  portrait: 'Portrait photo',
  signature: 'Signature',
  height: 'Height',
  weight: 'Weight',
  eye_colour: 'Eye colour',
  hair_colour: 'Hair colour',
  email: 'Email address',
  phone_number: 'Phone number',
  address: 'Address',
  street_address: 'Street and house number',
  house_number: 'House number',
  postal_code: 'Postcode',
  locality: 'Town or city',
  region: 'Region',
  country: 'Country of residence',
  residence_address: 'Registered address',
  personal_number: 'Personal identification number',
  document_number: 'Document number',
  issue_date: 'Date of issue',
  expiry_date: 'Expiry date',
  issuing_authority: 'Issuing authority',
  issuing_country: 'Issuing country',
  driving_privileges: 'Vehicles you may drive',
  distinguishing_sign: 'Country code on the licence',
  real_id: 'Whether the licence is a REAL ID',
  iban: 'Account number (IBAN)',
  account_given_name: 'Given name of the account holder',
  account_family_name: 'Family name of the account holder',
  institution: 'Responsible institution',
  institution_number: 'Number of the responsible institution',
  university: 'University',
  university_role: 'Role at the university',
  achievement: 'Title of the qualification',
}

/** Labels of document types, by the name that `nameDocument` gives to a type. */
const documents = {
  any: 'Any document in your wallet',
  pid: 'Digital identity (PID)',
  mdl: 'Mobile driving licence',
  photo_id: 'Digital photo ID',
  age: 'Age verification app',
  ehic: 'European Health Insurance Card',
  iban: 'Bank account attestation',
  learning_credential: 'Learning credential',
  residence: 'Certificate of residence',
  student: 'Student ID',
  id_pass: 'ID pass in Google Wallet',
}

export const en = { component, page, request, days, claims, documents }

/** Every language has these texts: a missing one does not compile. */
export type HolderTexts = typeof en
