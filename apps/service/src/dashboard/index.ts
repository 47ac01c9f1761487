export { removeMemberAndAccess } from './team/change-team.ts'
export { openRequestRecorder } from './request-log/record.ts'
