/** One line about each command, in the order of `vidimus help`, which loads no command for it. */
export const merchantSummaries = {
  dev: 'Runs a whole service on this machine, with a shop and a test key.',
  login: 'Stores the URL of a service and a key for the commands below, after checking the key.',
  trigger: 'Creates a test verification and has the sandbox wallet end it as you say.',
  listen: 'Forwards webhooks of test verifications to your machine, signed.',
  'logs tail': 'Prints the requests of your keys and devices as they arrive, from the request log.',
  mcp: "Serves a developer's assistant over MCP: test verifications, personas, findings and guides.",
  'config export': 'Prints the whole configuration of a tenant as JSON, without secrets.',
  'config apply': 'Makes the configuration what a file says: prints the differences, asks, applies them.',
  'wallet respond': 'Responds to a request as the sandbox wallet and prints the service’s response.',
  'wallet personas': 'Lists the personas of the sandbox wallet, one per line.',
  'wallet faults': 'Lists the faults that the sandbox wallet can commit, one per line.',
  'sealing-key create':
    'Creates a key that results can be sealed to. The private key stays in a file of yours.',
  'sealing-key register': 'Registers a key and answers its challenge: results are then sealed to it.',
  'sealing-key list':
    'Lists the keys that results are sealed to, with the number of stored results that each opens.',
  'result open': 'Prints the claims of a sealed result, opened with your private key.',
  'receipt check': 'Checks receipts of verifications with only the public key of the audit log.',
  'audit check': 'Checks an export or a proof of the audit log with only the public key.',
}

/** Nouns with several commands, which `vidimus help` shows as one. */
export const merchantGroups = {
  wallet: 'Responds as the sandbox wallet; lists its personas and faults.',
  'sealing-key': 'Creates, registers and lists the keys that results are sealed to.',
}

export const operatorSummaries = {
  migrate: 'Migrates the database. Safe to run repeatedly and from several nodes at once.',
  serve: 'Runs the HTTP service. Prints one line with its URL once it accepts requests.',
  work: 'Runs the background worker: webhooks, clean-up, audit log, trust lists.',
  health: 'Exits with 0 if the `serve` or `work` that runs here with the same settings is up.',
  doctor: 'Checks the installation and says what is wrong and how to fix it. Changes nothing.',
}

/** What needs the database of the installation, and no API key. */
export const adminSummaries = {
  'admin canary':
    'Runs complete verifications against a running service with the sandbox wallet and reports each step. For monitoring.',
  'admin tenant create':
    'Creates a tenant and prints the secrets that sign its webhooks in test and live, only once.',
  'admin tenant list': 'Lists the tenants, one per line.',
  'admin tenant show': 'Shows a tenant: its state, plan, quota and limits, what it used, and who has access.',
  'admin tenant quota': "Gives a tenant its own daily quota instead of its plan's, or its plan's again.",
  'admin tenant plan': 'Gives a tenant another plan. A quota of its own stays.',
  'admin tenant suspend':
    'Lets a tenant create no more verifications, and says why. Everything else goes on.',
  'admin tenant resume': 'Lets a suspended tenant create verifications again.',
  'admin tenant approve': 'Approves a tenant that signed up: it may create verifications like any other.',
  'admin tenant refuse':
    'Refuses live verifications to a tenant that signed up, or closes one of the waiting list.',
  'admin tenant close':
    'Ends a tenant for good: creates nothing, ends what is open. It can read, export and erase until it is deleted.',
  'admin tenant delete':
    'Deletes a tenant and everything of it, for good. Its audit entries stay, without texts.',
  'admin tenant move': 'Moves a tenant to another cell. Run it again after an interruption: it continues.',
  'admin tenant routes':
    "Prints the router's map of moved tenants: one line with a hash, device or session, and its cell.",
  'admin operator add':
    'Adds an operator of the console and prints the address of their invitation. It works once, for 24 hours.',
  'admin operator invite':
    'Prints another invitation for an operator who did not accept in time, or lost their passkeys.',
  'admin operator list': 'Lists the operators, one per line, also those who were removed.',
  'admin operator role': "Changes an operator's role. Their tokens with another role end.",
  'admin operator remove': 'Removes an operator with their sessions, passkeys and tokens.',
  'admin usage':
    'Prints what tenants used in a period, test and live apart, by outcome. For invoices; deleted tenants are in it.',
  'admin plan list': 'Lists the plans with their quotas and limits, one per line, that of new tenants first.',
  'admin plan set': 'Creates or changes a plan. What is not given stays, or is that of the default plan.',
  'admin plan remove': 'Removes a plan that no tenant has.',
  'admin restore apply':
    'After a restore of the database or the loss of its primary: repeats the erasures and revocations of the erasure ledger that it lacks.',
  'admin restore status':
    'Prints which erasures and revocations of the erasure ledger the database lacks. Changes nothing.',
  'admin secret rotate':
    'Creates new webhook secrets for a tenant and prints them, only once. The old ones also sign for 24 hours.',
  'admin keyring list': 'Lists the keys of the ring and how many values each of them seals.',
  'admin keyring retire':
    'Deletes a sealing key under which nothing is sealed any more. Refuses as long as anything is.',
  'admin keyring rewrap':
    'Wraps the key ring with MASTER_KEY or MASTER_KEY_URI and adds no key, so that processes with the previous master key go on.',
  'admin keyring rotate':
    'Wraps the key ring with MASTER_KEY or MASTER_KEY_URI and adds a sealing key. The previous master key is then no longer needed.',
  'admin key create': 'Creates an API key and prints it. It is shown only once: only its hash is stored.',
  'admin key list': "Lists a tenant's keys, one per line, newest first.",
  'admin key revoke': 'Revokes a key for good. Every node refuses it at once.',
  'admin openid rotate-keys':
    "Publishes new keys for a tenant's ID tokens. They sign after ten minutes; the old ones stay published for a day.",
  'admin member invite':
    'Prints a sign-in link for the dashboard. It works once and expires after three days.',
  'admin member list': "Lists a tenant's members, one per line.",
  'admin member remove':
    'Removes a member with their passkeys, sessions and links, and revokes the API keys they created.',
  'admin sandbox rotate':
    'Replaces the issuer of the sandbox. Credentials that it issued before are no longer trusted.',
  'admin trust add':
    "Trusts the certificates of a PEM file: issuer authorities, or issuers' signing certificates.",
  'admin trust list': 'Lists the trust anchors, one per line, environment first.',
  'admin trust lists': 'Shows the state of the trust lists, one per line, environment first.',
  'admin trust refresh':
    'Fetches every list in TRUST_LISTS_FILE now. Exit status 1 if one failed; its last valid copy stays in use.',
  'admin trust remove': 'Stops trusting an added certificate. It applies to every process within seconds.',
  'admin identity set':
    'Sets who asks the wallets of Apple, Google or others that do not trust the access certificate, beside it.',
  'admin identity issue':
    'Issues a tenant’s identity for Google Wallet under the operator’s verifier registrar, and sets it.',
  'admin identity remove': 'Removes an identity that `identity set` or `identity issue` set.',
  'admin identity check':
    'Says what the published rules of each ecosystem would refuse of the identities that are set, or of a file. Exit status 1 if anything.',
  'admin logs slow':
    'Says what requests waited for: reads the log of `serve`, and prints count, p50 and p99 of each tenant, or of each route of one, and what was refused.',
  'admin logs verification': 'Prints under which hash the log and the traces name a verification.',
  'admin audit verify':
    "Checks a tenant's audit chain in the database, or that of the installation, or all of them if none is given.",
  'admin audit export':
    'Exports the audit chain of a tenant or of the installation as JSON lines. Check it anywhere with `vidimus audit check`.',
  'admin audit prove':
    'Proves that an entry is in the signed log, or that the log continues an earlier checkpoint.',
  'admin audit public-key': 'Prints the public key that verifies audit checkpoints.',
  'admin audit rotate-key':
    'Replaces the key that signs audit checkpoints. The old key endorses the new one.',
}

export const summaries = { ...merchantSummaries, ...operatorSummaries, ...adminSummaries }

export type CommandName = keyof typeof summaries
