-- How the site gets its answer: in the query of its address, or in a form that the browser posts there.
alter table openid_authorizations add column response_mode text not null default 'query'
  check (response_mode in ('query', 'form_post'));

-- The last request of a client's site that was refused, for whoever sets the site up.
alter table openid_clients
  add column last_problem text check (length(last_problem) <= 500),
  add column last_problem_at timestamptz;
