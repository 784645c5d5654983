-- What Croft keeps in a PostgreSQL database, version 2: run once by the role that is to own it, in one
-- transaction with functions.sql after it.
--
-- Nobody writes a table but through those functions, which run with the owner's rights and ask croft.members
-- what the role of the session may do. Roles read what the policies of the tables let through.

CREATE SCHEMA croft;

-- One row: a client refuses a version that is newer than its own. The version of the functions is another one:
-- any client of the version can call them.
CREATE TABLE croft.format (version int NOT NULL);
INSERT INTO croft.format VALUES (2);

-- What some replicas share. The row's lock puts the pushes of a space in order.
CREATE TABLE croft.spaces (
  id uuid PRIMARY KEY,
  version bigint NOT NULL DEFAULT 0,
  -- Up to here tombstones may be gone.
  floor bigint NOT NULL DEFAULT 0,
  -- The replica that alone may push until then, because its last push was refused.
  holder uuid,
  held_until timestamptz
) WITH (fillfactor = 10);

-- What a role may do with a space: read it, and write it too.
CREATE TABLE croft.members (
  space uuid,
  role name,
  writes boolean NOT NULL,
  PRIMARY KEY (role, space)
);

-- Each push by the version that it made: the lineage of a space.
CREATE TABLE croft.pushes (
  space uuid,
  version bigint,
  id uuid NOT NULL,
  replica uuid NOT NULL,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (space, version)
);

-- Each object in its last version, or its tombstone.
CREATE TABLE croft.objects (
  space uuid,
  model int,
  key bytea,
  version bigint NOT NULL,
  deleted boolean NOT NULL,
  stamps bytea NOT NULL,
  fields bytea,
  -- The version over which it was written, and the one in which the row was made.
  prior bigint NOT NULL CHECK (prior >= 0),
  created bigint NOT NULL,
  PRIMARY KEY (space, model, key)
) WITH (fillfactor = 85);
-- The order of a pull. With model and key, so that a push of a million objects is not sorted for each batch.
CREATE INDEX objects_version ON croft.objects (space, version, model, key);

-- The replicas of a space by their numbers, which are in stamps.
CREATE TABLE croft.replicas (
  space uuid,
  number int CHECK (number BETWEEN 1 AND 65535),
  -- Another one in each session: a copy of a store has an id that is no longer here.
  id uuid NOT NULL,
  -- Of which version it had everything, and who it was and when; for people.
  cursor bigint NOT NULL DEFAULT 0,
  role name NOT NULL,
  seen timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (space, number),
  UNIQUE (space, id)
);

-- The objects of large pushes that are still on their way, of each role its own.
CREATE TABLE croft.parts (
  space uuid,
  push uuid,
  n int CHECK (n >= 0),
  role name NOT NULL,
  model int[] NOT NULL,
  key bytea[] NOT NULL,
  base bigint[] NOT NULL,
  deleted boolean[] NOT NULL,
  stamps bytea[] NOT NULL,
  fields bytea[] NOT NULL,
  refmodel int[] NOT NULL,
  refkey bytea[] NOT NULL,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (space, push, n)
);

-- Reading -------------------------------------------------------------------------------------------------

GRANT USAGE ON SCHEMA croft TO PUBLIC;
GRANT SELECT ON ALL TABLES IN SCHEMA croft TO PUBLIC;

ALTER TABLE croft.members ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON croft.members FOR SELECT USING (role = current_user);

ALTER TABLE croft.spaces ENABLE ROW LEVEL SECURITY;
CREATE POLICY members ON croft.spaces FOR SELECT
  USING (id IN (SELECT m.space FROM croft.members m WHERE m.role = current_user));

ALTER TABLE croft.pushes ENABLE ROW LEVEL SECURITY;
CREATE POLICY members ON croft.pushes FOR SELECT
  USING (space IN (SELECT m.space FROM croft.members m WHERE m.role = current_user));

ALTER TABLE croft.objects ENABLE ROW LEVEL SECURITY;
CREATE POLICY members ON croft.objects FOR SELECT
  USING (space IN (SELECT m.space FROM croft.members m WHERE m.role = current_user));

ALTER TABLE croft.replicas ENABLE ROW LEVEL SECURITY;
CREATE POLICY members ON croft.replicas FOR SELECT
  USING (space IN (SELECT m.space FROM croft.members m WHERE m.role = current_user));

ALTER TABLE croft.parts ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON croft.parts FOR SELECT
  USING (role = current_user
    AND space IN (SELECT m.space FROM croft.members m WHERE m.role = current_user));
