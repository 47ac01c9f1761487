export { removeMemberAndAccess } from './change-team.ts'
export { openRequestRecorder } from './request-log/record.ts'
