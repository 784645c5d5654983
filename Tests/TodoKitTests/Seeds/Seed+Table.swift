extension Seed {
  /// Every requirement, by its number; how many each app has is fixed.
  static let table: [Seed] = groupsApp + priorityApp + categoriesApp + listsApp + traps

  /// How many requirements there are of each app, and how many traps.
  static let counts = ["S000": 37, "S001": 1, "S002": 15, "S003": 17, "S004": 17, "T": 10]

  /// The app of groups: MVC, with publishable properties and an event bus.
  private static let groupsApp: [Seed] = [
    .init("S000-01", "create a group", "aGroupIsMadeWithNameColourAndImage"),
    .init("S000-02", "change a group", "aPatchOfAGroupChangesOnlyWhatItNames"),
    .init(
      "S000-03", "delete a group, with a report", "deletingAGroupTakesItsItemsAndReportsThem",
      "aGroupGoesOnlyWithTheItemsThatWereShown", "oneQuestionIsAskedAtATime"),
    .init(
      "S000-04", "create an item in a group", "anItemKnowsItsGroupAndEachListShowsItsOwn",
      "anUnknownGroupIsRefused"),
    .init(
      "S000-05", "rename an item", "whatAUserTypesIsValidatedBeforeTheStoreIsAsked",
      "retitlingStoresTheTitleAsItIs"),
    .init(
      "S000-06", "delete an item, asked first", "nothingIsDeletedBeforeTheUserSaysYes",
      "deletingAnswersWithWhatWasDeleted"),
    .init(
      "S000-07", "mark done, idempotent", "markingDoneAgainWritesNothingAndToggleIsSugar",
      "settingDoneAnswersInTheOrderOfTheIds"),
    .init(
      "S000-08", "reorder by neighbours", "anItemIsPutBeforeAndAfterAnother",
      "twoWindowsThatMoveDoNotFightOverIndexes", "roomThatRunsOutIsMadeAgain",
      "randomMovesAgreeWithAnArray"),
    .init(
      "S000-09", "progress, 0 when empty", "progressOfAnEmptyListIsZero",
      "talliesAreWhatCountingWouldGive",
      "t6TogglingCostsTheSameCallsInAGroupOfTenAndOfAHundredThousand"),
    .init(
      "S000-10", "pictures of dogs and cats, or drawn", "aPictureIsSearchedForThenFetched",
      "aMissingKeyIsNormal", "theSameGroupHasTheSamePictureInEveryRun",
      "aFailureLeavesTheGroupsPictureAsItWas", "aPictureThatCannotBeHadIsAMessageAndChangesNothing"),
    .init(
      "S000-11", "colours", "partsLieBetweenZeroAndOne", "coloursAreReadAsPeopleWriteThem",
      "aNewGroupsColourIsDark"),
    .none("S000-12", "grid and list"),
    .none("S000-13", "light and dark"),
    .init("S000-14", "an empty home screen", "withoutGroupsTheHomeListIsEmptyAndNeverNil"),
    .none("S000-15", "home menu"),
    .init(
      "S000-16", "a new group needs picture, name and an item",
      "aNewGroupNeedsAPictureANameAndAnItem", "aFormThatIsNotFilledIsRefusedWithOneMessageAtATime"),
    .init("S000-17", "root views", "theRootViewIsBuiltOnceAndDrawsTheModel"),
    .init(
      "S000-18", "typed controllers", "loadingBuildsTheViewOnceAndThenBegins",
      "anEventIsCommittedThenAnsweredAndItsPictureFollows", "nothingOfAScreenOutlivesIt"),
    .init("S000-19", "conversion is total", "everyFieldSurvivesStoring", "intentsSurviveTheWire"),
    .init(
      "S000-20", "both orders of starting up", "bothStartUpOrdersDrawTheSamePicture",
      "aStorageThatCannotBeOpenedIsShownAndTriedAgain"),
    .init(
      "S000-21", "save, then publish", "theCurrentListComesFirstThenOneAfterEachCommit",
      "whatFailedIsNotDelivered", "nothingIsDrawnBeforeItIsCommitted",
      "anEventIsCommittedThenAnsweredAndItsPictureFollows"),
    .init("S000-22", "publishable properties", "assigningPublishesTheOldAndTheNewValue"),
    .init("S000-23", "subscribing", "theProgramCompilesInBothLanguageModesWithoutAWarning"),
    .init(
      "S000-24", "at once", "anImmediateSubscriberGetsTheCurrentValueBeforeSubscribingReturns",
      "theDocumentedProgramPrintsWhatItSays"),
    .init(
      "S000-25", "subscribing again replaces", "subscribingAgainMovesTheSubscriberToTheEnd",
      "anObjectAtTheAddressOfOneThatIsGoneIsAnotherSubscriber"),
    .init("S000-26", "unsubscribing", "unsubscribingWithoutASubscriptionIsHarmless"),
    .init("S000-27", "publishing by hand", "publishingTellsAChangeThatWasNotMade"),
    .init(
      "S000-28", "subscribers are held weakly",
      "theSubscriberIsNotKeptAliveAndItsSubscriptionEndsWithIt",
      "aSubscriberThatIsGoneIsForgottenAtTheNextChange"),
    .init("S000-29", "event bus", "busesAreApart"),
    .init("S000-30", "on", "theListenerIsNotKeptAliveAndIsForgottenWithItsCallbacks"),
    .init("S000-31", "off", "offTakesTheTypeOrAnEventOfIt"),
    .init("S000-32", "reset", "resetEndsEverythingOfOneListener"),
    .init("S000-33", "emit", "anEventReachesThoseWhoListenForItsTypeWithItsPayload"),
    .init("S000-34", "weak references", "itsValueGoesWithTheObject"),
    .init(
      "S000-35", "storage by keys", "whatIsSavedIsLoadedAndRemoved", "aFailedSaveIsNotSilent",
      "theProtocolAsksForFourThings"),
    .init(
      "S000-36", "the whole list of events", "screensAreOpenedAndClosedAsRoutes",
      "aFilledFormMakesAGroupWithItsItemsInOneStep", "aGroupIsChangedAndMovedByItsId",
      "tasksAreMadeRenamedCompletedAndMoved", "theCompletionOfADeletionGetsTheRemovedIndexOrNil",
      "aGroupsPictureIsReplacedOnceItIsThere", "whatIsEmptyCannotBeConfirmed"),
    .init(
      "S000-37", "the key is optional", "aMissingKeyIsNormal", "theKeyIsSentWithTheSearchAlone"),
    .init(
      "S001", "the older README's call sites",
      "theProgramCompilesInBothLanguageModesWithoutAWarning"),
  ]

  /// The app of priorities: MVVM over observables.
  private static let priorityApp: [Seed] = [
    .init(
      "S002-01", "add with a priority", "theStoredItemIsTheOneThatIsTold",
      "groupDayAndTagsAreStoredWithTheItem", "sectionsFollowEveryCommit"),
    .init(
      "S002-02", "an empty title is refused, the stream lives",
      "aBlankTitleIsAnsweredInBothLanguages",
      "failFailSucceedOnOneSubscription"),
    .init(
      "S002-03", "a priority must be chosen, after the title",
      "aMissingPriorityIsAnsweredInBothLanguages",
      "anAttemptWithBothFaultsIsToldOfTheTitleOnly"),
    .init("S002-04", "errors and successes are two outputs", "failFailSucceedOnOneSubscription"),
    .init("S002-05", "priorities have ranks", "prioritiesAreOrderedFromNoneToHigh"),
    .none("S002-06", "done is struck through"),
    .init(
      "S002-07", "delete single items", "deletingAnswersWithWhatWasDeleted",
      "leavingEditModeShowsWhatRemains"),
    .init(
      "S002-08", "delete all in one transaction", "deletingAllOfAListIsOneChange",
      "deletingAllIsOneTransactionAndOneChange"),
    .init("S002-09", "leaving edit mode", "leavingEditModeShowsWhatRemains"),
    .init("S002-10", "data survives a restart", "itemsAreThereAfterReopening"),
    .init("S002-11", "no data", "withoutItemsThereIsAPictureAndNothingToEdit"),
    .init("S002-12", "transform(input:)", "everyTransformIsAScreenOfItsOwn"),
    .init("S002-13", "only the repository touches the database", "holdsInThisProject"),
    .init(
      "S002-14", "adding answers with the list, once",
      "theListAfterTheCommitComesOnceThenTheEnd", "anErrorTravelsInTheStream",
      "nothingIsAddedBeforeSomebodySubscribes"),
    .init(
      "S002-15", "sections follow the store", "sectionsFollowEveryCommit",
      "openItemsStandAboveCompletedOnes", "rowsAreToldByWhatBecameOfThem"),
  ]

  /// The app of categories: MVI.
  private static let categoriesApp: [Seed] = [
    .init("S003-01", "groups are values with identity", "aGroupIsMadeWithNameColourAndImage"),
    .init(
      "S003-02", "important is a query from the first start",
      "importantIsThereFromTheStartAndHoldsNoCopies",
      "importantCanNeitherBeAddedToNorRenamedNorDeleted", "theImportantListIsAListLikeOthers"),
    .init(
      "S003-03", "one repository, injected", "eachScreenUsesTheRepositoryItWasGiven",
      "everyScreenThatShowsAnItemShowsTheSameStateAfterEveryCommit"),
    .init(
      "S003-04", "intents", "intentsSurviveTheWire", "everyCommandIsTakenBackAndDoneAgainAsAWhole",
      "whatTheUserDoesSurvivesTheWire"),
    .init(
      "S003-05", "state is a value", "theStateIsAValueThatStepsAloneDecide",
      "readingGoesFromIdleToLoadedAndKeepsTheListWhileItIsReadAgain"),
    .init(
      "S003-06", "the store of states", "theStateShowsTheListAtOnceAndFollowsWhateverIsCommitted",
      "statesAreDeliveredWhereTheScreenWantsThem", "aGroupThatVanishesSaysSoAndMayComeBack",
      "aStoreThatIsGoneReadsNoMore"),
    .init("S003-07", "one-way flow", "whatIsSentIsACommandAndComesBackAsAState"),
    .init(
      "S003-08", "undone first, then completed",
      "undoneStandFirstAndCompletedBelowOnlyWhenThereAreAny"),
    .init("S003-09", "toggle important", "settingAStarChangesNothingElse"),
    .init(
      "S003-10", "create and retitle", "retitlingStoresTheTitleAsItIs",
      "oneSheetHasAModeForEachThingThatIsTyped"),
    .init(
      "S003-11", "add, rename, delete a category", "aGroupsOwnNameIsFreeForIt",
      "theSheetMakesRetitlesAndRenames"),
    .init(
      "S003-12", "deletion hits what was swiped", "deletionHitsWhatWasSwipedAfterAnyReorder",
      "aQuestionIsAnsweredOnce", "whatIsGoneMeanwhileMakesTheWholeAnswerFail",
      "deletionAsksFirstAndHitsWhatWasSwipedAfterAnyReorderOfTheScreen"),
    .init(
      "S003-13", "errors keep their cause", "anErrorOfTheStoreIsALocalizedErrorWithItsCause",
      "aFolderThatCannotBeMadeIsNamedWithTheReason",
      "aListThatCannotBeReadKeepsWhatWasShownAndIsReadAgain"),
    .init(
      "S003-14", "opening makes, and does not overwrite",
      "missingFoldersAreMadeForTheOwnerAlone", "aFileThatIsNoStoreIsRefusedAndLeftAsItIs"),
    .init(
      "S003-15", "the next success clears the error",
      "anErrorIsPartOfTheStateUntilTheNextSuccessOrTheUserClearsIt"),
    .none("S003-16", "gestures"),
    .none("S003-17", "no full swipe"),
  ]

  /// The app of lists: MVP with coordinators.
  private static let listsApp: [Seed] = [
    .init(
      "S004-01", "a renderer for each screen",
      "theHomeScreenShowsTheGroupsInOrderWithTheirTallies",
      "theOpenItemsStandFirstAndTheCompletedOnesBelow",
      "theFormShowsTheNameThatWasStoredAndCloses"),
    .init(
      "S004-02", "coordinators", "whereTheUserIsIsAListOfValues",
      "finishedCoordinatorsTheirPresentersAndViewsAreFreed",
      "theScreensOpenedSinceCloseWithTheirCoordinator"),
    .init(
      "S004-03", "presenters", "theFormShowsTheNameThatWasStoredAndCloses",
      "aSecondTapAndATapAfterCancelStoreNothing",
      "anErrorIsAnAlertUntilItIsDismissedOrSomethingSucceeds"),
    .init(
      "S004-04", "the reserved name", "theNameOfTheImportantListIsReserved",
      "theReservedNameIsAnAlertAndTheFormStaysOpen"),
    .init(
      "S004-05", "asynchronous verbs",
      "whileAnotherWritesNoThreadIsBlockedAndReadsSeeTheLastCommit",
      "asynchronousVerbsDoWhatTheirTwinsDo",
      "asynchronousVerbsOfGroupsDoWhatTheirTwinsDo"),
    .init(
      "S004-06", "merging by property", "twoEditsOfDifferentFieldsBothHold",
      "aNamedPropertyThatHasChangedMeanwhileIsRefused",
      "propertiesThatThePatchDoesNotNameMayHaveChanged",
      "twoScreensThatChangeDifferentFieldsOfAListBothHold",
      "twoScreensThatChangeDifferentFieldsOfAnItemBothHold",
      "aClashOfNamesIsAnAlertAndOverwritesNothing", "aClashOfTitlesIsAnAlertAndOverwritesNothing"),
    .init(
      "S004-07", "one store a file", "twoRepositoriesOnOneFileSeeEachOthersItems",
      "commitsOfAnotherRepositoryOnTheFileAreDelivered", "commitsOfAnotherProcessAreDelivered"),
    .init(
      "S004-08", "orders", "aListIsReadInTheOrderOfChoice",
      "openItemsComeFirstAndEachPartByPlace", "groupsAreMovedToo",
      "theHomeScreenShowsTheGroupsInOrderWithTheirTallies"),
    .init("S004-09", "fetched results", "eachCommitIsOneBatchAndTheCountComesAfterIt"),
    .init(
      "S004-10", "counts without loading",
      "countingAListReadsOneRowHoweverManyItemsItHas", "groupsTalliesAndHistoryAreObserved",
      "theHomeScreenShowsTheGroupsInOrderWithTheirTallies"),
    .init("S004-11", "verbs throw", "anUnknownIdAmongOthersChangesNothing"),
    .init(
      "S004-12", "names", "namesAreTrimmed", "anEmptyNameBecomesUntitled", "aTakenNameIsNumbered",
      "writersAtTheSameTimeGetDifferentNames", "theFormBeginsWithTheNameAndShowsTheOneReallyUsed",
      "theListsOwnNameIsNoDuplicate", "aBlankNameIsAnAlertAndTheFormStaysOpen",
      "anotherNameMayNotBeBlank", "anotherNameIsValidatedAsTheFirstOne",
      "aBlankNameIsToldInBothLanguages",
      "aBlankNameIsRefusedInEveryActionThatNamesAGroup"),
    .init(
      "S004-13", "deleting cascades", "deletingAGroupTakesItsItemsAndReportsThem",
      "whatWasDeletedComesBackInItsPlaceWithEverything",
      "theQuestionNamesTheListAndCountsWhatGoesWithIt"),
    .init(
      "S004-14", "one screen, two modes", "oneScreenCreatesAndRetitles",
      "theAlertNamesTheItemThatIsGoneAndTheFormCloses"),
    .init(
      "S004-15", "no stale cache", "aListThatChangedWhileItsScreenWasClosedShowsNothingStale",
      "aListThatWasDeletedWhileItsScreenWasClosedOpensAsAnAlert"),
    .init(
      "S004-16", "capabilities", "importantCanNeitherBeAddedToNorRenamedNorDeleted",
      "importantHidesAddAndRenameAndOpensNeither",
      "theImportantListOffersNoAddingRenamingOrDeleting"),
    .none("S004-17", "cells"),
  ]

  /// Defects of those apps that must not be repeated.
  private static let traps: [Seed] = [
    .init("T1", "subscribing again replaces", "t1SubscribingAgainReplacesTheEarlierSubscription"),
    .init(
      "T2", "changes made within a callback hold", "t2WhatCallbacksSubscribeAndUnsubscribeIsNotLost"
    ),
    .init(
      "T3", "events of one short name are two", "t3EventsOfTheSameNameInDifferentTypesAreDifferent"),
    .init(
      "T4", "a failed save is not silent", "t4AFailedSaveIsNotSilentOnAnyScreen",
      "aFailedSaveIsNotSilent"),
    .init(
      "T5", "every edit is saved", "t5WhatIsEditedOnAScreenIsSaved",
      "aPatchOfAGroupChangesOnlyWhatItNames", "onlyNamedFieldsChange"),
    .init(
      "T6", "progress is not recounted",
      "t6TogglingCostsTheSameCallsInAGroupOfTenAndOfAHundredThousand"),
    .init(
      "T7", "publish after the commit",
      "t7WhatIsToldIsStoredAlreadyAndNothingStandsBesideTheStore",
      "theListAfterTheCommitComesOnceThenTheEnd"),
    .init(
      "T8", "no copies, and alerts that go", "t8ImportantHoldsNoCopiesAndItemsAreFoundByTheirIds",
      "t8AnAlertCanBeDismissedOnEveryScreen", "importantIsThereFromTheStartAndHoldsNoCopies"),
    .init(
      "T9", "the own name is free", "t9TheOwnNameIsFreeOnTheScreenAndTheCheckIsInTheWrite",
      "aGroupsOwnNameIsFreeForIt", "writersAtTheSameTimeGetDifferentNames"),
    .init("T10", "names in NFC", "t10NamesInAnotherNormalFormAreTheSameName"),
  ]
}
