/** What `splitwatch help` prints. */
export const HELP = `splitwatch tells people about reverse stock splits.

Usage: splitwatch [SUBCOMMAND]

  start              run everything that the configuration asks for (default)
  service            run the data service alone
  doctor             check configuration, store, data service, news wires and chat platforms
  extract [FILE]     read article records, JSON lines, from FILE or standard input, and print what they say
  rebuild            read the kept press releases anew with this version's rules, and print what changed
  keys add NAME      make an API key of the data service and print it, this once
  keys list          list the API keys
  keys revoke NAME   take an API key back
  backup FILE        write the whole state into a new FILE, also while splitwatch runs; - is standard output
  restore FILE       put the state of a backup into a DATA_DIR that holds none
  help               print this

  -h, --help         print this
  -v, --version      print the version

Addresses and secrets are environment variables, also from .env: see .env.example.
Settings are in config/default.yaml; SPLITWATCH_CONFIG names a file that is laid over it.

It ends with 0 when all went well, 1 when something failed, 2 when arguments or configuration cannot be used.`;
