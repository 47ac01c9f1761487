import type { ReactNode } from 'react'
import { Link } from '@tanstack/react-router'
import type { Environment } from '@vidimus/contract'
import type { ApiError } from '../api/error.ts'

/** Leads from a request ID to the request log, if that has the request. */
export function RequestLink({
  error: { request_id, logged_in },
  children,
}: {
  error: ApiError
  children: ReactNode
}) {
  return (
    <Link
      to="/$environment/requests"
      params={{ environment: logged_in as Environment }} // from the address of the request
      search={{ request_id }}
      className="font-mono underline underline-offset-4"
    >
      {children}
    </Link>
  )
}
