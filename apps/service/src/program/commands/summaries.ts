/** One line about each command, in the order of `vidimus help`, which loads no command for it. */
export const summaries = {
  migrate: 'Migrates the database. Safe to run repeatedly and from several nodes at once.',
  serve: 'Runs the HTTP service. Prints one line with its URL once it accepts requests.',
  work: 'Runs the background worker: webhooks, clean-up, audit log, trust lists.',
  health:
    'Exits with 0 if the `serve` or `work` that runs here with the same settings is up. For container health checks.',
  dev: 'Runs the whole service on this machine for development: migrates, serves, works, and creates a tenant with a test key.',
  doctor: 'Checks the installation and says what is wrong and how to fix it. Changes nothing.',
  canary:
    'Runs complete verifications against a running service with the sandbox wallet and reports each step. For monitoring.',
  listen:
    'Forwards webhooks of test verifications to your machine, signed with your webhook secret and with the one that it prints.',
  'config export':
    "Prints a tenant's whole configuration as JSON, without secrets. Calls the API with a key.",
  'config apply':
    'Makes the configuration of a tenant what a file says: prints the differences, asks, and applies them.',
  'tenant create':
    'Creates a tenant and prints the secrets that sign its webhooks in test and live, only once.',
  'tenant list': 'Lists the tenants, one per line.',
  'tenant set':
    "Sets a tenant's policies, its holder's page and its access certificate. Options that are not given stay unchanged.",
  'tenant quota': "Gives a tenant its own daily quota instead of its plan's.",
  'tenant delete': 'Deletes a tenant and everything of it, for good. Its audit entries stay, without texts.',
  'restore apply':
    'After a restore of the database or the loss of its primary: repeats the erasures and revocations of the erasure ledger that it lacks.',
  'restore status':
    'Prints which erasures and revocations of the erasure ledger the database lacks. Changes nothing.',
  'tenant move': 'Moves a tenant to another cell. Run it again after an interruption: it continues.',
  'tenant routes':
    "Prints the router's map of moved tenants: one line with a hash, device or session, and its cell.",
  'secret rotate':
    'Creates new webhook secrets for a tenant and prints them, only once. The old ones also sign for 24 hours.',
  'keyring list': 'Lists the keys of the ring and how many values each of them seals.',
  'keyring retire':
    'Deletes a sealing key under which nothing is sealed any more. Refuses as long as anything is.',
  'keyring rewrap':
    'Wraps the key ring with MASTER_KEY or MASTER_KEY_URI and adds no key, so that processes with the previous master key go on.',
  'keyring rotate':
    'Wraps the key ring with MASTER_KEY or MASTER_KEY_URI and adds a sealing key. The previous master key is then no longer needed.',
  'template put':
    "Creates or replaces a tenant's template. Existing verifications keep the version they were created with.",
  'template list': "Lists the built-in templates and a tenant's own, one per line, key first.",
  'key create': 'Creates an API key and prints it. It is shown only once: only its hash is stored.',
  'key list': "Lists a tenant's keys, one per line, newest first.",
  'key revoke': 'Revokes a key for good. Every node refuses it at once.',
  'client create':
    'Creates an OpenID client and prints what to enter at the site. Its secret is shown only once.',
  'client list': "Lists a tenant's OpenID clients, one per line, newest first.",
  'client show': 'Prints an OpenID client, without its secret.',
  'client set':
    'Changes an OpenID client. What is not given stays; an empty purpose or subject claim is removed.',
  'client roll-secret': 'Gives an OpenID client a new secret and prints it, only once.',
  'client delete': 'Deletes an OpenID client with its secrets. Sign-ins in progress end.',
  'client rotate-keys':
    "Publishes new keys for a tenant's ID tokens. They sign after ten minutes; the old ones stay published for a day.",
  'member invite': 'Prints a sign-in link for the dashboard. It works once and expires after three days.',
  'member list': "Lists a tenant's members, one per line.",
  'member remove':
    'Removes a member with their passkeys, sessions and links, and revokes the API keys they created.',
  'sandbox rotate':
    'Replaces the issuer of the sandbox. Credentials that it issued before are no longer trusted.',
  'trust add': "Trusts the certificates of a PEM file: issuer authorities, or issuers' signing certificates.",
  'trust list': 'Lists the trust anchors, one per line, environment first.',
  'trust lists': 'Shows the state of the trust lists, one per line, environment first.',
  'trust refresh':
    'Fetches every list in TRUST_LISTS_FILE now. Exit status 1 if one failed; its last valid copy stays in use.',
  'trust remove': 'Stops trusting an added certificate. It applies to every process within seconds.',
  'identity set':
    'Sets who asks the wallets of Apple, Google or others that do not trust the access certificate, beside it.',
  'identity issue':
    'Issues a tenant’s identity for Google Wallet under the operator’s verifier registrar, and sets it.',
  'identity remove': 'Removes an identity that `identity set` or `identity issue` set.',
  'identity check':
    'Says what the published rules of each ecosystem would refuse of the identities that are set, or of a file. Exit status 1 if anything.',
  'registration add': "Checks a tenant's registration certificate and stores it for new verifications.",
  'registration list': "Lists a tenant's registrations, one per line, id first.",
  'registration show': 'Shows a registration, and what its last check found.',
  'registration default': 'Makes a registration the one that is asked under wherever no other is named.',
  'registration assign':
    'Chooses the registration that a template, built-in or the tenant’s own, is asked under.',
  'registration check': 'Checks a registration again now. Exit status 1 if wallets will not accept it.',
  'registration set':
    "Sets how a tenant's requests carry registrations, and what happens when a query asks for more than one covers.",
  'registration remove':
    'Removes a registration that no template names. Open verifications keep carrying it.',
  'wallet respond': 'Responds to a request as the sandbox wallet and prints the service’s response.',
  'wallet personas': 'Lists the personas of the sandbox wallet, one per line.',
  'wallet faults':
    'Lists the faults that the sandbox wallet can commit, one per line. /docs/reference/faults shows the expected results.',
  'audit verify':
    "Checks a tenant's audit chain in the database, or that of the installation, or all of them if none is given.",
  'audit export':
    'Exports the audit chain of a tenant or of the installation as JSON lines. Check it anywhere with `audit check`.',
  'audit check': 'Checks an export or a proof with only the public key. Needs no database and no network.',
  'audit prove':
    'Proves that an entry is in the signed log, or that the log continues an earlier checkpoint.',
  'audit public-key': 'Prints the public key that verifies audit checkpoints.',
  'audit rotate-key': 'Replaces the key that signs audit checkpoints. The old key endorses the new one.',
}

export type CommandName = keyof typeof summaries
