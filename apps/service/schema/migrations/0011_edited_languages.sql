-- Whether the page, the component and the tills of the tenant offer only languages that are no machine translations.
alter table tenants add column edited_languages_only boolean not null default false;
