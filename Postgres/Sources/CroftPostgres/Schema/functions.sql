-- The functions and procedures of the schema that schema.sql makes, version 4: run by its owner, also in the
-- place of older ones, in one transaction whose search_path is pg_catalog, pg_temp. Rights that the owner has
-- given to roles, or to all, stay.
--
-- Who changes one raises the version at the end, and Postgres.functionsVersion with it. Where the result of one
-- is another than before, it has to be dropped first.

-- Writing -------------------------------------------------------------------------------------------------

-- Whether the role of the session may write a space; an error where it may not even read it.
CREATE OR REPLACE FUNCTION croft.may_write(p_space uuid) RETURNS boolean
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE w boolean;
BEGIN
  SELECT m.writes INTO w FROM croft.members m WHERE m.space = p_space AND m.role = session_user;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'role % is not a member of the space', session_user USING ERRCODE = '42501';
  END IF;
  RETURN w;
END $$;

-- The same, but an error where it may only read.
CREATE OR REPLACE FUNCTION croft.require_writing(p_space uuid) RETURNS void
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF NOT croft.may_write(p_space) THEN
    RAISE EXCEPTION 'role % may not write the space', session_user USING ERRCODE = '42501';
  END IF;
END $$;

-- Begins a session of a replica, which is p_next in it: its number, and where the space is.
--
-- A replica that is known by neither id is new, or a copy of a store whose original came first: it gets another
-- number. A role that only reads has none, and writes nothing. p_versions are versions whose pushes are asked for.
CREATE OR REPLACE FUNCTION croft.register(
  p_space uuid, p_replica uuid, p_next uuid, p_versions bigint[],
  OUT status text, OUT number int, OUT writes boolean, OUT version bigint, OUT floor bigint,
  OUT versions bigint[], OUT pushes uuid[], OUT at timestamptz)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  writes := croft.may_write(p_space);
  at := clock_timestamp();
  number := 0;
  IF writes THEN
    -- Two new replicas must not take one number.
    PERFORM FROM croft.spaces s WHERE s.id = p_space FOR UPDATE;
    SELECT r.number INTO number FROM croft.replicas r
      WHERE r.space = p_space AND r.id IN (p_replica, p_next)
      ORDER BY r.id = p_replica DESC LIMIT 1;
    IF FOUND THEN
      UPDATE croft.replicas r SET id = p_next, role = session_user, seen = clock_timestamp()
        WHERE r.space = p_space AND r.number = register.number;
    ELSE
      INSERT INTO croft.replicas (space, number, id, role)
        SELECT p_space, coalesce(max(r.number), 0) + 1, p_next, session_user
        FROM croft.replicas r WHERE r.space = p_space
        RETURNING replicas.number INTO number;
    END IF;
  END IF;
  -- One statement, which sees one state: pushes are collected meanwhile, and a role that only reads has no lock.
  SELECT s.version, s.floor, a.versions, a.pushes INTO version, floor, versions, pushes
    FROM croft.spaces s, (
      SELECT coalesce(array_agg(p.version), '{}') AS versions, coalesce(array_agg(p.id), '{}') AS pushes
      FROM croft.pushes p WHERE p.space = p_space AND p.version = ANY (p_versions)) a
    WHERE s.id = p_space;
  IF NOT FOUND THEN status := 'nospace'; RETURN; END IF;
  status := 'ok';
END $$;

-- Takes a part of a large push, which may be sent again.
--
-- It locks nothing of others: its locks are held until the client ends the statement, which may have stopped.
CREATE OR REPLACE FUNCTION croft.upload(
  p_space uuid, p_push uuid, p_n int, p_model int[], p_key bytea[], p_base bigint[], p_deleted boolean[],
  p_stamps bytea[], p_fields bytea[], p_refmodel int[], p_refkey bytea[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM croft.require_writing(p_space);
  INSERT INTO croft.parts
    (space, push, n, role, model, key, base, deleted, stamps, fields, refmodel, refkey)
    VALUES (p_space, p_push, p_n, session_user, p_model, p_key, p_base, p_deleted, p_stamps, p_fields,
      p_refmodel, p_refkey)
    ON CONFLICT (space, push, n) DO NOTHING;
END $$;

-- Writes the objects of a push, all or none, each only over the version of it that the pusher knows.
--
-- Of a large push p_parts parts were uploaded before; they are gone when it is refused, but for 'held' and
-- 'overtaken', after which the same push may come once more, with another cursor. Where it is refused with
-- 'overtaken' or 'conflict', the replica alone may push for two seconds, so that it is not overtaken again.
CREATE OR REPLACE FUNCTION croft.merge(
  p_space uuid, p_replica uuid, p_push uuid, p_cursor bigint, p_strict boolean, p_parts int,
  p_model int[], p_key bytea[], p_base bigint[], p_deleted boolean[], p_stamps bytea[], p_fields bytea[],
  p_refmodel int[], p_refkey bytea[],
  OUT status text, OUT version bigint, OUT at timestamptz)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  v bigint; h uuid; hu timestamptz; n bigint; bad boolean;
  total bigint := cardinality(p_key); sent bigint; rm int; rk bytea;
BEGIN
  PERFORM croft.require_writing(p_space);
  at := clock_timestamp();
  SELECT s.version, s.holder, s.held_until INTO v, h, hu
    FROM croft.spaces s WHERE s.id = p_space FOR UPDATE;
  IF NOT FOUND THEN status := 'nospace'; RETURN; END IF;
  version := v;
  UPDATE croft.replicas r SET cursor = p_cursor, seen = clock_timestamp()
    WHERE r.space = p_space AND r.id = p_replica;
  IF NOT FOUND THEN
    DELETE FROM croft.parts p
      WHERE p_parts > 0 AND p.space = p_space AND p.push = p_push AND p.role = session_user;
    status := 'unknown'; RETURN;
  END IF;
  -- A push that came twice is answered as the first time: its version is one after its cursor.
  SELECT p.version INTO n FROM croft.pushes p
    WHERE p.space = p_space AND p.version > p_cursor AND p.id = p_push;
  IF FOUND THEN status := 'ok'; version := n; RETURN; END IF;
  IF h <> p_replica AND hu > clock_timestamp() THEN status := 'held'; RETURN; END IF;
  IF p_strict AND v <> p_cursor THEN
    status := 'overtaken';
  ELSE
    v := v + 1;
    BEGIN
      IF p_parts > 0 THEN
        SELECT count(*), coalesce(sum(cardinality(p.key)), 0) INTO n, sent FROM croft.parts p
          WHERE p.space = p_space AND p.push = p_push AND p.role = session_user AND p.n < p_parts;
        IF n <> p_parts THEN RAISE EXCEPTION 'parts' USING ERRCODE = 'CF001'; END IF;
        total := total + sent;
      END IF;
      -- The primary key finds the rows. A join of the arrays with the table has been planned as a scan of it.
      WITH written AS (
        INSERT INTO croft.objects AS o
          (space, model, key, version, deleted, stamps, fields, prior, created)
        SELECT p_space, i.model, i.key, v, i.deleted, i.stamps, i.fields, i.base, v
        FROM (
          SELECT * FROM unnest(p_model, p_key, p_base, p_deleted, p_stamps, p_fields)
          UNION ALL
          SELECT u.* FROM croft.parts p,
            unnest(p.model, p.key, p.base, p.deleted, p.stamps, p.fields) AS u
          WHERE p_parts > 0 AND p.space = p_space AND p.push = p_push AND p.role = session_user
            AND p.n < p_parts
        ) AS i (model, key, base, deleted, stamps, fields)
        ON CONFLICT (space, model, key) DO UPDATE
          SET version = excluded.version, deleted = excluded.deleted, stamps = excluded.stamps,
            fields = excluded.fields, prior = excluded.prior
          WHERE o.version = excluded.prior
        RETURNING o.prior, o.created)
      SELECT count(*), coalesce(bool_or(w.created = v AND w.prior > 0), false) INTO n, bad
        FROM written w;
      -- Fewer: another version was there. Made now over a version: it was there once, and is gone.
      IF n <> total OR bad THEN RAISE EXCEPTION 'conflict' USING ERRCODE = 'CF001'; END IF;
      -- One by one, by the primary key, for the same reason. Objects of the push itself are there by now.
      FOR rm, rk IN
        SELECT * FROM unnest(p_refmodel, p_refkey)
        UNION ALL
        SELECT u.* FROM croft.parts p, unnest(p.refmodel, p.refkey) AS u
        WHERE p_parts > 0 AND p.space = p_space AND p.push = p_push AND p.role = session_user
          AND p.n < p_parts
      LOOP
        PERFORM FROM croft.objects o
          WHERE o.space = p_space AND o.model = rm AND o.key = rk AND NOT o.deleted;
        IF NOT FOUND THEN RAISE EXCEPTION 'reference' USING ERRCODE = 'CF002'; END IF;
      END LOOP;
      status := 'ok';
    EXCEPTION
      WHEN SQLSTATE 'CF001' THEN status := 'conflict';
      WHEN SQLSTATE 'CF002' THEN status := 'reference';
    END;
  END IF;
  -- They are written, or of no use: the next push has another id.
  IF p_parts > 0 AND status <> 'overtaken' THEN
    DELETE FROM croft.parts p
      WHERE p.space = p_space AND p.push = p_push AND p.role = session_user;
  END IF;
  IF status = 'ok' THEN
    UPDATE croft.spaces SET version = v, holder = NULL, held_until = NULL WHERE id = p_space;
    INSERT INTO croft.pushes (space, version, id, replica) VALUES (p_space, v, p_push, p_replica);
    version := v;
  ELSIF status <> 'reference' THEN
    UPDATE croft.spaces SET holder = p_replica, held_until = clock_timestamp() + interval '2 s'
      WHERE id = p_space;
  END IF;
END $$;

-- Removes parts of pushes that clients of the role gave up a day ago, a hundred at a time.
CREATE OR REPLACE FUNCTION croft.remove_old_parts(p_space uuid) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  DELETE FROM croft.parts p USING (
    SELECT o.space, o.push, o.n FROM croft.parts o
    WHERE o.space = p_space AND o.role = session_user AND o.at < clock_timestamp() - interval '1 day'
    LIMIT 100 FOR UPDATE SKIP LOCKED) aged
  WHERE p.space = aged.space AND p.push = aged.push AND p.n = aged.n;
$$;

-- What a client calls for register and merge. A statement of the protocol ends with a message of its own, and the
-- locks are held until it comes: a client that stops just before it would block all others. A procedure
-- commits by itself; one with the owner's rights or a search path may not.
CREATE OR REPLACE PROCEDURE croft.hello(
  p_space uuid, p_replica uuid, p_next uuid, p_versions bigint[],
  INOUT status text DEFAULT NULL, INOUT number int DEFAULT NULL, INOUT writes boolean DEFAULT NULL,
  INOUT version bigint DEFAULT NULL, INOUT floor bigint DEFAULT NULL,
  INOUT versions bigint[] DEFAULT NULL, INOUT pushes uuid[] DEFAULT NULL,
  INOUT at timestamptz DEFAULT NULL)
LANGUAGE plpgsql AS $$
BEGIN
  SELECT r.status, r.number, r.writes, r.version, r.floor, r.versions, r.pushes, r.at
    INTO status, number, writes, version, floor, versions, pushes, at
    FROM croft.register(p_space, p_replica, p_next, p_versions) r;
  COMMIT;
END $$;

CREATE OR REPLACE PROCEDURE croft.push(
  p_space uuid, p_replica uuid, p_push uuid, p_cursor bigint, p_strict boolean, p_parts int,
  p_model int[], p_key bytea[], p_base bigint[], p_deleted boolean[], p_stamps bytea[], p_fields bytea[],
  p_refmodel int[], p_refkey bytea[],
  INOUT status text DEFAULT NULL, INOUT version bigint DEFAULT NULL, INOUT at timestamptz DEFAULT NULL)
LANGUAGE plpgsql AS $$
BEGIN
  SELECT m.status, m.version, m.at INTO status, version, at
    FROM croft.merge(
      p_space, p_replica, p_push, p_cursor, p_strict, p_parts, p_model, p_key, p_base, p_deleted,
      p_stamps, p_fields, p_refmodel, p_refkey) m;
  COMMIT;
  -- Outside of the space's lock.
  IF p_parts > 0 THEN
    PERFORM croft.remove_old_parts(p_space);
    COMMIT;
  END IF;
  -- In a transaction of its own: one with a notification holds a lock of the whole server while it commits.
  IF status = 'ok' THEN
    PERFORM pg_catalog.pg_notify(pg_catalog.concat('croft_', p_space), '');
  END IF;
END $$;

-- The owner's work --------------------------------------------------------------------------------------------

-- The functions that are there already, until the end of the transaction.
SELECT set_config('croft.installed', coalesce(string_agg(p.oid::text, ' '), ''), true)
  FROM pg_proc p WHERE p.pronamespace = 'croft'::regnamespace;

CREATE OR REPLACE FUNCTION croft.create_space(p_space uuid) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  INSERT INTO croft.spaces (id) VALUES (p_space);
$$;

CREATE OR REPLACE FUNCTION croft.add_member(p_space uuid, p_role name, p_writes boolean) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles r WHERE r.rolname = p_role) THEN
    RAISE EXCEPTION 'there is no role %', p_role USING ERRCODE = '42704';
  END IF;
  IF NOT EXISTS (SELECT FROM croft.spaces s WHERE s.id = p_space) THEN
    RAISE EXCEPTION 'there is no space %', p_space USING ERRCODE = '02000';
  END IF;
  INSERT INTO croft.members VALUES (p_space, p_role, p_writes)
    ON CONFLICT (space, role) DO UPDATE SET writes = excluded.writes;
END $$;

CREATE OR REPLACE FUNCTION croft.remove_member(p_space uuid, p_role name) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  DELETE FROM croft.members WHERE space = p_space AND role = p_role;
  DELETE FROM croft.parts WHERE space = p_space AND role = p_role;
$$;

-- Forgets the tombstones, pushes and parts of a space that are older than a time.
--
-- A replica that has not seen those tombstones compares all objects, once.
CREATE OR REPLACE FUNCTION croft.collect(p_space uuid, p_before timestamptz) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE f bigint;
BEGIN
  PERFORM FROM croft.spaces s WHERE s.id = p_space FOR UPDATE;
  SELECT max(p.version) INTO f FROM croft.pushes p WHERE p.space = p_space AND p.at < p_before;
  DELETE FROM croft.parts p WHERE p.space = p_space AND p.at < p_before;
  IF f IS NULL THEN RETURN; END IF;
  DELETE FROM croft.objects o WHERE o.space = p_space AND o.version <= f AND o.deleted;
  -- The push of the floor stays: a replica that is there proves by it that it is of this lineage. So does the last
  -- push of each replica since its session began: where its answer was lost, the next session asks for it.
  DELETE FROM croft.pushes p WHERE p.space = p_space AND p.version < f
    AND p.version NOT IN (
      SELECT max(l.version) FROM croft.pushes l
      JOIN croft.replicas r ON r.space = l.space AND r.id = l.replica
      WHERE l.space = p_space GROUP BY l.replica);
  UPDATE croft.spaces s SET floor = greatest(s.floor, f) WHERE s.id = p_space;
END $$;

-- New ones of these are for the owner alone, and for the roles to which it grants them; the rest ask
-- croft.members.
DO $$
DECLARE f regprocedure;
BEGIN
  FOR f IN
    SELECT p.oid FROM pg_proc p
    WHERE p.pronamespace = 'croft'::regnamespace
      AND p.proname IN ('create_space', 'add_member', 'remove_member', 'collect')
      AND p.oid::text <> ALL (string_to_array(coalesce(current_setting('croft.installed', true), ''), ' '))
  LOOP
    EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', f);
  END LOOP;
END $$;

-- The version -------------------------------------------------------------------------------------------------

-- Schemas had no such column at first. Where another session reads the table for long, as a backup does, nobody
-- may wait for the lock: sessions that begin would wait after it.
DO $$
BEGIN
  IF EXISTS (
    SELECT FROM pg_attribute a WHERE a.attrelid = 'croft.format'::regclass
      AND a.attname = 'functions' AND NOT a.attisdropped)
  THEN RETURN; END IF;
  FOR attempt IN 1..50 LOOP
    BEGIN
      LOCK TABLE croft.format IN ACCESS EXCLUSIVE MODE NOWAIT;
      ALTER TABLE croft.format ADD COLUMN functions int;
      RETURN;
    EXCEPTION WHEN lock_not_available THEN
      PERFORM pg_sleep(0.1);
    END;
  END LOOP;
  RAISE EXCEPTION 'other sessions use the table croft.format; try again later' USING ERRCODE = '55P03';
END $$;
UPDATE croft.format SET version = 2, functions = 4;
