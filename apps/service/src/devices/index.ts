export {
  listAllowedTemplates,
  listDevicesWithTemplate,
  nameDevices,
  searchDevices,
  summarizeDevices,
} from './list-devices.ts'
export { madeDevices, endedDevices, endedPairings } from './revoke-device.ts'
export { sweepGuesses } from './pairing/enroll.ts'
export { recordDeviceUse } from './device-principal.ts'
export { type RestoredGenerations, restoreGenerations } from './tokens/restore-generations.ts'
export { authenticateDevice } from './tokens/authenticate.ts'
