-- Why a till asks: what its customers read, and their wallets show.
alter table devices
  add column purpose text constraint devices_purpose_check check (char_length(purpose) between 1 and 300);
