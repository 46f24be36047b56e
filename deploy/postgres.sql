-- Run once, by the image of PostgreSQL, as its superuser, when its volume is empty. Nobody else signs in as that one: the
-- owner migrates, and the processes go by a user who owns nothing, so that row security holds them.
\set owner_password `cat /run/secrets/owner-password`
\set service_password `cat /run/secrets/service-password`
create role earshot_app nologin;
create role earshot_owner login password :'owner_password';
create role earshot_service login password :'service_password';
grant earshot_app to earshot_owner, earshot_service;
create database earshot owner earshot_owner;
revoke all on database earshot from public;
grant connect on database earshot to earshot_service;
