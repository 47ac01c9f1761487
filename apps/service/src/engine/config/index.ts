export {
  type Config,
  ConfigError,
  type Secrets,
  developerVariables,
  givenVariables,
  listeningAddresses,
  readConfig,
  readServingConfig,
  refusedConnections,
  startedByNpm,
  userConfigFolder,
} from './config.ts'
export { readJsonFile } from './read-json.ts'
