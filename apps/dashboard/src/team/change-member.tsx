import type { ComponentProps } from 'react'
import { ChangeDialog } from '../ui/change-dialog.tsx'
import { SettledAccess } from './member-access.tsx'

const invalidates = [
  'listTeam',
  'getMe',
  'listMemberAccess',
  'listKeys',
  'listDevices',
  'listOpenIdClients',
  'listWebhookEndpoints',
  'getAlertWebhook',
  'getSettings',
] as const

type ChangeMemberProps<Op extends 'changeRole' | 'removeMember'> = Omit<
  ComponentProps<typeof ChangeDialog<Op>>,
  'invalidates' | 'renderResult'
>

/** Changes or removes a member, and then shows what ended and what was taken over, if anything. */
export function ChangeMember<Op extends 'changeRole' | 'removeMember'>(props: ChangeMemberProps<Op>) {
  return (
    <ChangeDialog<Op>
      {...props}
      invalidates={invalidates}
      renderResult={({ ended, taken_over }) =>
        ended.length + taken_over.length === 0 ? undefined : (
          <SettledAccess
            title={props.successMessage}
            ended={ended}
            takenOver={taken_over}
            onClose={props.onClose}
          />
        )
      }
    />
  )
}
